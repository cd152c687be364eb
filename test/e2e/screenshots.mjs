/**
 * `npm run screenshots`: takes the README's pictures of a real n8n's editor, into docs/images.
 */

import { join } from 'node:path';

import { build } from '../../scripts/build.mjs';
import { NO_CHROMIUM } from '../../scripts/installed/chromium.mjs';
import { main, UserError } from '../../scripts/lib/program.mjs';
import { ROOT } from '../../scripts/lib/project.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { openEditor } from './support/editor.mjs';
import { startServers } from './support/servers.mjs';

/** What matters is on top. */
const HEIGHT = 700;
const REST_MS = 2_000;

await main(async () => {
	await build();
	const { n8n, sandbox } = await startServers({ folder: temporaryFolder('n8n-screenshots') });
	const editor = await openEditor(n8n);
	if (editor === undefined) throw new UserError(NO_CHROMIUM);

	/** @param {string} name of the picture: the middle of the node's panel, with its tabs */
	const takePicture = async (name) => {
		const path = join(ROOT, 'docs', 'images', `${name}.png`);
		await editor.page.mouse.move(0, 0);
		// What a field shows to the mouse alone fades.
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
	await editor.close();
});
