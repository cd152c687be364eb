/**
 * `npm run screenshots [-- part-of-a-name …]`: starts the demo's servers and takes a picture of every panel, list,
 * message and canvas, light and dark, into the folder screenshots, with a sheet of them all. For people to look at.
 */

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from '../../../scripts/build.mjs';
import { ensureChromium, NO_CHROMIUM } from '../../../scripts/installed/chromium.mjs';
import { main, UserError } from '../../../scripts/lib/program.mjs';
import { ROOT } from '../../../scripts/lib/project.mjs';
import { temporaryFolder } from '../../../scripts/lib/temporary.mjs';
import { ensureN8n } from '../../../scripts/n8n-server/install.mjs';
import { canRun, readExamples } from '../../../scripts/n8n-server/demo.mjs';
import { startPostgres } from '../../../scripts/postgres/server.mjs';
import { createCatalogue } from '../support/browser/catalogue.mjs';
import { openEditor } from '../support/browser/open.mjs';
import { createWorkflowOf, FAULTS, nodeOf } from '../support/browser/workflows.mjs';
import { startServers } from '../support/servers.mjs';
import { until } from '../support/until.mjs';

/** @typedef {import('../support/browser/editor.mjs').Editor} Editor */
/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {(editor: Editor) => Promise<void>} show what to show before it is taken
 * @property {boolean} [isOfReadme] whether it is one of docs/images, and so of a node's parameters alone
 */

const FOLDER = join(ROOT, 'screenshots');
const NODE = 'Payment Collection';
const AGENT = {
	name: 'AI Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 2,
	parameters: {},
};
const SCHEMES = /** @type {const} */ (['light', 'dark']);
const SHEET_WIDTH = 2_400;
/** That come in while the pictures are taken. */
const CHARGES = 8;
/** In the README's pictures: what matters is on top. */
const README_HEIGHT = 700;

/**
 * @param {Awaited<ReturnType<typeof startServers>>} servers
 * @returns {Promise<Picture[]>}
 */
async function picturesOf({ n8n: { client, credential }, sandbox }) {
	const catalogue = await createCatalogue(client, credential);
	const faults = await createWorkflowOf(
		client,
		'Things that are wrong',
		FAULTS.map(({ name, parameters }) => nodeOf(name, parameters, credential)),
	);
	const table = await client.dataTables.find('payment_collection_events');
	const [customer] = await sandbox.store.customers.all();
	const payer = `${customer?.first_name} ${customer?.last_name}`;
	for (let number = 0; number < CHARGES; number++) sandbox.insertCharge();
	const link = sandbox.store.links.all().find(({ link: { status } }) => status === 'enabled');
	/** n8n's, the first time that a browser sees a published workflow. */
	const shutAdvice = async (/** @type {Editor} */ editor) => {
		await editor.rest();
		await editor.page.keyboard.press('Escape');
	};
	const saveCredential = async (
		/** @type {Editor} */ editor,
		baseUrl = sandbox.url,
		apiKey = 'wrong',
	) => {
		await editor.openNewCredential('Payment Collection API');
		await editor.fill('baseUrl', baseUrl);
		await editor.fill('apiKey', apiKey);
		await editor.saveCredential();
		/** @type {{ id: string, type: string }[]} */
		const all = await client.request('GET', '/rest/credentials');
		for (const { id, type } of all)
			if (type === 'paymentCollectionApi' && id !== credential.id)
				await client.send('DELETE', `/rest/credentials/${id}`);
	};
	const searchFor = async (/** @type {Editor} */ editor, /** @type {string} */ words) => {
		await editor.openNewWorkflow();
		await editor.startFirstStep();
		await editor.search(words);
	};
	const openAction = async (/** @type {Editor} */ editor, /** @type {string} */ action) => {
		await searchFor(editor, 'payment');
		await editor.pick(NODE);
		await editor.unfoldActions();
		await editor.pick(action);
	};

	return [
		{
			name: 'readme create payment link',
			isOfReadme: true,
			show: async (editor) => {
				await openAction(editor, 'Create payment link');
				await editor.choose('currency', /^EUR/);
				await editor.fillAnew('name', 'Workshop ticket');
				await editor.fill('amount', '10');
				// Away from the field, below which n8n has a tip for who is in it.
				await editor.page.getByText('Additional Fields', { exact: true }).first().click();
			},
		},
		{
			name: 'readme refund charge',
			isOfReadme: true,
			show: async (editor) => {
				await openAction(editor, 'Refund charge');
				await editor.searchList('chargeId', `${customer?.first_name}`);
			},
		},
		{ name: 'sandbox', show: async (editor) => void (await editor.page.goto(sandbox.url)) },
		{
			name: 'sandbox payment page',
			show: async (editor) => void (await editor.page.goto(`${link?.link.url}`)),
		},
		{
			name: 'workflows',
			show: async (editor) => {
				await editor.goTo('/home/workflows');
				await editor.page.getByText('Create a payment link').first().waitFor();
			},
		},
		...(await readExamples()).map(({ workflow: { id, name } }) => ({
			name: `canvas ${name}`,
			show: async (/** @type {Editor} */ editor) => {
				await editor.openWorkflow(id);
				await shutAdvice(editor);
			},
		})),
		...['payment-ledger', 'payment-link', 'refund-request'].map((path) => ({
			name: `page ${path}`,
			show: async (/** @type {Editor} */ editor) => {
				const kind = path === 'payment-ledger' ? 'webhook' : 'form';
				await editor.page.goto(`${client.baseUrl}/${kind}/${path}`);
			},
		})),
		...(await readExamples())
			.map(({ workflow }) => workflow)
			.filter(canRun)
			.map(({ id, name }) => ({
				name: `execution ${name}`,
				show: async (/** @type {Editor} */ editor) => {
					await editor.lastExecution(id);
					await editor.part('canvas-node').first().waitFor();
					await shutAdvice(editor);
				},
			})),
		{ name: 'list nodes', show: async (editor) => await searchFor(editor, 'payment link') },
		{
			name: 'list actions',
			show: async (editor) => {
				await searchFor(editor, 'refund');
				await editor.pick(NODE);
				await editor.unfoldActions();
			},
		},
		...catalogue.names.map((name) => ({
			name: `panel ${name}`,
			show: async (/** @type {Editor} */ editor) => {
				await editor.openWorkflow(catalogue.id);
				await editor.openNode(name);
			},
		})),
		{
			name: 'list currencies',
			show: async (editor) => {
				await openAction(editor, 'Create payment link');
				await editor.person.click(editor.field('currency'));
			},
		},
		{
			name: 'list charges',
			show: async (editor) => {
				await openAction(editor, 'Refund charge');
				await editor.searchList('chargeId', payer);
			},
		},
		{
			name: 'list customers',
			show: async (editor) => {
				await openAction(editor, 'Get customer');
				await editor.searchList('customerId', `${customer?.first_name}`);
			},
		},
		{
			name: 'output payment link',
			show: async (editor) => {
				await openAction(editor, 'Create payment link');
				await editor.choose('currency', /^EUR/);
				await editor.fillAnew('name', 'Ticket');
				await editor.fill('amount', '10');
				await editor.execute();
			},
		},
		{
			name: 'output refund',
			show: async (editor) => {
				await openAction(editor, 'Refund charge in full');
				await editor.pickFromList('chargeId', String(sandbox.insertCharge().reference_id));
				await editor.execute();
			},
		},
		{
			name: 'output charges',
			show: async (editor) => {
				await openAction(editor, 'Get many charges');
				await editor.execute();
			},
		},
		{
			name: 'output test event',
			show: async (editor) => {
				await searchFor(editor, 'new charge');
				await editor.pick(NODE);
				await editor.pick('On charge created');
				await editor.execute();
			},
		},
		...FAULTS.map(({ name }) => ({
			name: `message ${name}`,
			show: async (/** @type {Editor} */ editor) => {
				await editor.openWorkflow(faults);
				await editor.openNode(name);
				await editor.execute();
			},
		})),
		{
			name: 'credential right',
			show: async (editor) => await saveCredential(editor, sandbox.url, sandbox.apiKey),
		},
		{ name: 'credential wrong key', show: async (editor) => await saveCredential(editor) },
		{
			name: 'credential refused',
			show: async (editor) => await saveCredential(editor, 'http://127.0.0.1:9'),
		},
		{
			name: 'panel agent tool',
			show: async (editor) => {
				// A new one: n8n saves the tool that the first picture adds, and beside it the list is another.
				const agent = await createWorkflowOf(client, 'An agent', [AGENT]);
				await editor.openWorkflow(agent);
				await editor.startToolOf(AGENT.name);
				await editor.search('payment');
				await editor.pick('Payment Collection Tool');
				await editor.part('ndv').waitFor();
			},
		},
		{
			name: 'data table',
			show: async (editor) => {
				await until(
					async () => table !== undefined && (await client.dataTables.rows(table)).length > 0,
					() => 'the table is empty',
				);
				await editor.goTo(`/projects/${table?.projectId}/datatables/${table?.id}`);
			},
		},
		{
			name: 'canvas every operation',
			show: async (editor) => await editor.openWorkflow(catalogue.id),
		},
	];
}

/** @param {Editor} editor whose panel of a node is open */
async function topOfParameters(editor) {
	const box = await editor.parameters().boundingBox();
	return box && { ...box, height: Math.min(box.height, README_HEIGHT) };
}

/**
 * @param {Editor} editor
 * @param {string} scheme
 */
async function takeSheet(editor, scheme) {
	const files = (await readdir(FOLDER)).filter((name) => name.endsWith(`-${scheme}.png`)).sort();
	const cells = files.map(
		(file) =>
			`<figure><img src="${pathToFileURL(join(FOLDER, file))}"><figcaption>${file}</figcaption></figure>`,
	);
	const style = `body { margin: 10px; font: 20px sans-serif; display: grid; grid-template-columns: repeat(5, 1fr);
		gap: 10px } figure { margin: 0 } img { width: 100%; border: 1px solid gray }`;
	const page = await editor.page.context().newPage();
	await page.setViewportSize({ width: SHEET_WIDTH, height: 900 });
	// A page of its own address may show files.
	const sheet = join(FOLDER, `sheet-${scheme}.html`);
	await writeFile(sheet, `<!doctype html><style>${style}</style>${cells.join('')}`);
	await page.goto(String(pathToFileURL(sheet)), { waitUntil: 'load' });
	await page.screenshot({ path: join(FOLDER, `sheet-${scheme}.png`), fullPage: true });
	await page.close();
	await rm(sheet);
}

await main(async () => {
	const chromium = await ensureChromium();
	if (chromium === undefined) throw new UserError(NO_CHROMIUM);
	const wanted = process.argv.slice(2);
	await ensureN8n();
	await build();
	const postgres = await startPostgres({ folder: temporaryFolder('postgres-screenshots') });
	const folder = temporaryFolder('n8n-screenshots');
	const servers = await startServers({ folder, postgres, show: true });
	const pictures = (await picturesOf(servers)).filter(
		({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
	);
	if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
	await mkdir(FOLDER, { recursive: true });
	let missing = 0;
	for (const colorScheme of SCHEMES) {
		const { editor, close } = await openEditor(servers.n8n.client, chromium, { colorScheme });
		for (const { name, show, isOfReadme } of pictures) {
			const file = `${name.toLowerCase().replace(/\W+/g, '-')}-${colorScheme}.png`;
			try {
				await show(editor);
			} catch (error) {
				missing++;
				console.error(`${file} does not show what it should: ${error}`);
			}
			await editor.rest();
			const clip = isOfReadme ? await topOfParameters(editor) : undefined;
			await editor.page.screenshot({ path: join(FOLDER, file), ...(clip && { clip }) });
			console.log(file);
		}
		await takeSheet(editor, colorScheme);
		await close();
	}
	console.log(`${pictures.length * SCHEMES.length} pictures and two sheets are in ${FOLDER}`);
	return missing === 0 ? 0 : 1;
});
