import { createServer } from 'node:http';
import { after } from 'node:test';

/**
 * What a chat model does next: it says something, or it calls tools.
 *
 * @typedef {{ tool: string, input: Record<string, unknown> }} ToolCall
 *
 * @typedef {string | ToolCall[]} Turn
 *
 * @typedef {{ role: string, content: string, tool_call_id?: string }} Message
 */

/** A chat model that says what a test has it say, at an address that speaks as OpenAI's does. */
export async function startScriptedModel() {
	/** @type {Turn[]} */
	let turns = [];
	/** @type {{ messages: Message[], tools: { function: { name: string, parameters: { properties: object } } }[] }[]} */
	const requests = [];
	const server = createServer(async (request, response) => {
		// n8n's Agents speak OpenAI's newer way, and this one where there is no such address.
		if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end();
		let body = '';
		for await (const part of request) body += part;
		const asked = JSON.parse(body);
		requests.push(asked);
		const turn = turns.shift() ?? 'There is nothing left in the script.';
		const message =
			typeof turn === 'string'
				? { role: 'assistant', content: turn }
				: {
						role: 'assistant',
						content: null,
						tool_calls: turn.map(({ tool, input }, index) => ({
							index,
							id: `call_${requests.length}_${index}`,
							type: 'function',
							function: { name: tool, arguments: JSON.stringify(input) },
						})),
					};
		const answer = { id: `${requests.length}`, created: 0, model: asked.model };
		const finish_reason = typeof turn === 'string' ? 'stop' : 'tool_calls';
		if (asked.stream) {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const chunk = {
				...answer,
				object: 'chat.completion.chunk',
				choices: [{ index: 0, delta: message, finish_reason }],
			};
			response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				...answer,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		/** @param {Turn[]} script what it does from now on */
		play(script) {
			turns = [...script];
			requests.length = 0;
		},
		/** What it was asked since. */
		requests,
		/** @returns {string[]} what the tools gave it, in the order of its calls */
		results: () =>
			(requests.at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => content),
	};
}
