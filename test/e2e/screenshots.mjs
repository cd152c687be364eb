/**
 * `npm run screenshots`: takes the documents' pictures of a real n8n, into docs/images.
 */

import { writeFile } from 'node:fs/promises';
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

const IMAGES = join(ROOT, 'docs', 'images');
const HEIGHT = 700;
const PAYER = 'Nora Whitfield';
const REST_MS = 2_000;
const AGENT = 'refund-agent-with-approval.json';

await main(async () => {
	await build();
	const { n8n, sandbox, credential } = await startServers();
	const editor = await openEditor(n8n, { deviceScaleFactor: 2 });
	if (editor === undefined) throw new UserError(NO_CHROMIUM);
	const { page } = editor;

	const parameters = editor
		.part('node-parameters')
		.locator('xpath=ancestor::*[.//*[@data-test-id="node-execute-button"]][1]');
	const output = editor.part('output-panel');

	/**
	 * @param {typeof output} panel
	 * @param {'css' | 'device'} [scale]
	 */
	const pictureOf = async (panel, scale) => {
		await page.mouse.move(0, 0);
		// Hints under the mouse fade.
		await page.waitForTimeout(REST_MS);
		const box = await panel.boundingBox();
		if (box === null) throw new Error('There is no such panel');
		return await page.screenshot({ clip: { ...box, height: HEIGHT }, scale });
	};

	await editor.add('Create payment link');
	await editor.choose('currency', /^EUR/);
	await editor.fill('name', 'Workshop ticket');
	await editor.fill('amount', '10');
	// Away from the field, below which n8n has a tip for who is in it.
	await page.getByText('Additional Fields', { exact: true }).first().click();
	await writeFile(join(IMAGES, 'create-payment-link.png'), await pictureOf(parameters, 'css'));

	// Comes before the customer: a new charge can be of any customer.
	const { source } = sandbox.insertCharge();
	const { id: customer_id } = sandbox.insertCustomer({
		first_name: 'Nora',
		last_name: 'Whitfield',
	});
	for (const [total, created, status, refund] of /** @type {const} */ ([
		['60.00', '2026-11-02', 'authorised', '20.00'],
		['25.00', '2026-11-16', 'pending'],
		['84.50', '2026-11-27', 'authorised'],
	])) {
		const payer = { ...source, name: PAYER, card_holder_name: PAYER };
		const charge = { total, created, status, source: payer, customer_id, currency: 'EUR' };
		const { id } = sandbox.insertCharge(charge);
		if (refund) sandbox.refundCharge(id, refund);
	}

	/** @type {Record<'light' | 'dark', Buffer[]>} */
	const steps = { light: [], dark: [] };
	const addStep = async (/** @type {typeof output} */ panel) => {
		for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
			await page.emulateMedia({ colorScheme });
			steps[colorScheme].push(await pictureOf(panel));
		}
	};
	await editor.add('Refund charge');
	const found = await editor.searchList('chargeId', PAYER);
	if (!/84\.50/.test(await found.innerText()))
		throw new Error('The newest charge is not the first');
	await addStep(parameters);
	await writeFile(join(IMAGES, 'refund-charge.png'), await pictureOf(parameters, 'css'));
	await found.click();
	await editor.fill('amount', '12.50');
	await page.getByText('Options', { exact: true }).first().click();
	await addStep(parameters);
	await editor.execute();
	await output.getByText('JSON', { exact: true }).click();
	await editor.untilOutputShows('refund_total');
	await addStep(output);

	const sheet = await page.context().newPage();
	const browser = await page.context().newCDPSession(sheet);
	for (const [scheme, pictures] of Object.entries(steps)) {
		const images = pictures.map(
			(picture) =>
				`<img height="${HEIGHT}" src="data:image/png;base64,${picture.toString('base64')}">`,
		);
		await sheet.setContent(`<!doctype html><html style="color-scheme: ${scheme}">
			<body style="display: inline-flex; gap: 4px; margin: 0">${images.join('')}`);
		const box = await sheet.locator('body').boundingBox();
		if (box === null) throw new Error('There are no steps');
		const clip = { ...box, scale: 1 };
		const options = /** @type {const} */ ({ format: 'webp', quality: 80, clip });
		const { data } = await browser.send('Page.captureScreenshot', options);
		await writeFile(join(IMAGES, `refund-${scheme}.webp`), data, 'base64');
	}
	// A page behind another one is not painted.
	await sheet.close();

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
	while (mailbox.mails.length === 0) await page.waitForTimeout(REST_MS);
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto(mailbox.url);
	// Long enough for the mail to be painted, and too short for the page to load itself again.
	await page.waitForTimeout(REST_MS);
	const path = join(IMAGES, 'refund-approval.png');
	await page.locator('article').screenshot({ path, scale: 'css' });
	await editor.close();
	chatModel.close();
});
