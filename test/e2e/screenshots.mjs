/**
 * `npm run screenshots`: takes the documents' pictures of a real n8n, into docs/images.
 */

import { join } from 'node:path';

import { build } from '../../scripts/build.mjs';
import { startChatModel } from '../../scripts/demo/chatModel.mjs';
import { startMailbox } from '../../scripts/demo/mailbox.mjs';
import { answerOf } from '../../scripts/demo/standIn.mjs';
import { NO_CHROMIUM } from '../../scripts/installed/chromium.mjs';
import { main, UserError } from '../../scripts/lib/program.mjs';
import { ROOT } from '../../scripts/lib/project.mjs';
import {
	chatModelCredential,
	readExamples,
	smtpCredential,
	withCredentials,
} from '../../scripts/n8n-server/demo.mjs';
import { openEditor } from './support/editor.mjs';
import { chatMessage } from './support/examples/exampleCopy.mjs';
import { startServers } from './support/servers.mjs';

const HEIGHT = 700;
const REST_MS = 2_000;
const AGENT = 'refund-agent-with-approval.json';

await main(async () => {
	await build();
	const { n8n, sandbox, credential } = await startServers();
	const editor = await openEditor(n8n);
	if (editor === undefined) throw new UserError(NO_CHROMIUM);

	/** @param {string} name of the picture: the middle of the node's panel, with its tabs */
	const takePicture = async (name) => {
		const path = join(ROOT, 'docs', 'images', `${name}.png`);
		await editor.page.mouse.move(0, 0);
		// Hints under the mouse fade.
		await editor.page.waitForTimeout(REST_MS);
		const around = 'xpath=ancestor::*[.//*[@data-test-id="node-execute-button"]][1]';
		const box = await editor.part('node-parameters').locator(around).boundingBox();
		if (box === null) throw new Error(`There is no panel for ${name}`);
		await editor.page.screenshot({ path, clip: { ...box, height: HEIGHT } });
		console.log(path);
	};

	await editor.add('Create payment link');
	await editor.choose('currency', /^EUR/);
	await editor.fill('name', 'Workshop ticket');
	await editor.fill('amount', '10');
	// Away from the field, below which n8n has a tip for who is in it.
	await editor.page.getByText('Additional Fields', { exact: true }).first().click();
	await takePicture('create-payment-link');

	const [customer] = sandbox.store.customers.all();
	await editor.add('Refund charge');
	await editor.searchList('chargeId', `${customer?.first_name}`);
	await takePicture('refund-charge');

	const mailbox = await startMailbox();
	const chatModel = await startChatModel(answerOf);
	sandbox.insertCharge({ currency: 'EUR', total: '84.50' });
	const credentials = [
		credential,
		await n8n.createCredential(chatModelCredential(chatModel)),
		await n8n.createCredential(smtpCredential(mailbox.smtp)),
	];
	const workflow = (await readExamples()).find(({ file }) => file === AGENT)?.workflow;
	if (workflow === undefined) throw new Error(`There is no examples/${AGENT}`);
	const { id: agent } = await n8n.updateWorkflow(
		workflow.id,
		withCredentials({ nodes: workflow.nodes }, credentials),
	);
	await n8n.publish(agent);
	const item = chatMessage('1', 'Refund 12.50 of the last charge');
	await n8n.start(agent, { trigger: 'When chat message received', item });
	await editor.page.goto(mailbox.url);
	// The page loads itself again until the mail is there.
	const letter = editor.page.locator('iframe').first();
	await letter.waitFor();
	await letter.screenshot({ path: join(ROOT, 'docs', 'images', 'refund-approval.png') });
	await editor.close();
	chatModel.close();
});
