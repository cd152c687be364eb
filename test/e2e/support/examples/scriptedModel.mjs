import { after } from 'node:test';

import { startChatModel } from '../../../../scripts/demo/chatModel.mjs';
import { chatModelCredential } from '../../../../scripts/n8n-server/demo.mjs';

/** @typedef {import('../../../../scripts/demo/chatModel.mjs').Turn} Turn */
/** @typedef {import('../../../../scripts/demo/chatModel.mjs').ToolCall} ToolCall */

/**
 * A chat model that says what a test has it say.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n gets a credential for it
 */
export async function startScriptedModel(n8n) {
	/** @type {Turn[]} */
	let turns = [];
	/** @type {import('../../../../scripts/demo/chatModel.mjs').Question[]} */
	const requests = [];
	const { url, close } = await startChatModel((question) => {
		requests.push(question);
		return turns.shift() ?? 'There is nothing left in the script.';
	});
	after(close);
	return {
		credential: await n8n.createCredential(chatModelCredential({ url })),
		/** @param {Turn[]} script what it does from now on */
		play(script) {
			turns = [...script];
			requests.length = 0;
		},
		requests,
		/** @returns {string[]} what the tools gave it, in the order of its calls */
		results: () =>
			(requests.at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => content),
	};
}
