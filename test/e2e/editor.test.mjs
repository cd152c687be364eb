import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { NO_CHROMIUM } from '../../scripts/installed/chromium.mjs';
import { ROOT } from '../../scripts/lib/project.mjs';
import { openEditor } from './support/editor.mjs';
import { startOwnServers } from './support/servers.mjs';
import { until } from './support/until.mjs';

/**
 * n8n's editor in Chromium, with an n8n of this file's own: where there is a second credential, the editor no longer
 * takes the first one by itself. Without a Chromium these tests are left out, unless BROWSER_TESTS=required. A test that
 * fails leaves a picture of what it saw.
 */

const PICTURES = join(ROOT, 'screenshots');

const { n8n, sandbox } = await startOwnServers();
const editor = await openEditor(n8n);
after(() => editor?.close());

/**
 * @param {string} title
 * @param {(open: import('./support/editor.mjs').Editor) => Promise<void>} work
 */
const inEditor = (title, work) =>
	test(
		title,
		{ skip: !editor && process.env['BROWSER_TESTS'] !== 'required' && NO_CHROMIUM },
		async () => {
			assert.ok(editor, NO_CHROMIUM);
			await work(editor).catch(async (error) => {
				await mkdir(PICTURES, { recursive: true });
				const path = join(PICTURES, `failed ${title.replace(/\W+/g, ' ')}.png`);
				await editor.page.screenshot({ path });
				throw error;
			});
		},
	);

inEditor('a search for any of its functions shows the node among the first three', async (open) => {
	const NODE = 'Payment Collection';
	await open.openNodes();
	for (const words of [
		...['payment link', 'collect payments', 'refund', 'new charge', 'invoice'],
		...['new customer', 'new contact'],
	]) {
		const none = await open.search('nothing is called so');
		await none.filter({ hasText: NODE }).waitFor({ state: 'detached' });
		const found = await open.search(words);
		await until(async () => {
			const names = await found.allInnerTexts();
			assert.ok(names.slice(0, 3).includes(NODE), `"${words}" finds ${names}`);
		}, 20_000);
	}
});

inEditor('a wrong amount is shown before a payment link is created', async (open) => {
	await open.add('Create payment link');
	await open.choose('currency', /^USD/);
	await open.fill('amount', '12,50');
	await open.execute();
	await open.untilOutputShows(/Amount' is .*12,50.*decimal number such as 12\.50/);
	const links = () => sandbox.store.links.all();
	const before = links().length;

	await open.fill('amount', '10');
	await open.execute();
	await until(() => assert.notEqual(links().length, before));
	const [{ link } = assert.fail()] = links();
	await open.untilOutputShows(link.url);
	assert.deepEqual([link.amount, link.currency], ['10.00', 'USD']);
	assert.equal(links().length, before + 1);
});

inEditor('custom fields stay when another field is added, and the link has them', async (open) => {
	await open.add('Create payment link');
	await open.choose('currency', /^USD/);
	await open.fill('amount', '10');
	await open.addField('Custom Fields');
	for (const name of ['Delivery instructions', 'Size']) {
		await open.page.getByText('Add Custom Field', { exact: true }).click();
		await open.fill('name', name);
	}
	await open.addField('Title');
	await open.fill('title', 'T-shirt');
	await open.execute();
	await open.untilOutputShows('T-shirt');
	const [{ link } = assert.fail()] = sandbox.store.links.all();
	const names = link.custom_fields.map(({ name }) => name);
	assert.deepEqual(names, ['Delivery instructions', 'Size']);
});

inEditor("a charge is refunded in full, found by its payer's name", async (open) => {
	const { id, source } = sandbox.insertCharge({ currency: 'EUR', total: '84.50' });
	await open.add('Refund charge');
	const found = await open.searchList('chargeId', source.name);
	assert.match(await found.innerText(), /84\.50 EUR/);
	await found.click();
	await open.choose('amountType', /^Full/);
	await open.execute();
	await open.untilOutputShows(id);
	assert.equal(sandbox.store.charges.get(id)?.charge.refund_total, '84.50');
});

inEditor('the trigger shows the newest charge as its test event', async (open) => {
	const { id } = sandbox.insertCharge();
	await open.add('On charge created');
	await open.execute();
	await open.untilOutputShows(`charge.created:${id}`);
});
