import { setTimeout as sleep } from 'node:timers/promises';

import { chromium, selectors } from 'playwright-core';

import { ensureChromium } from '../../../scripts/installed/chromium.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

selectors.setTestIdAttribute('data-test-id');

const NODE = 'Payment Collection';
const TIMEOUT_MS = 60_000;
/** n8n reads typed text only after 100 ms. No hand reaches the mouse sooner. */
const HAND_TO_MOUSE_MS = 250;

/**
 * Opens n8n's editor in Chromium.
 *
 * @param {import('../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n logged in
 * @param {import('playwright-core').BrowserContextOptions} [screen]
 * @returns {Promise<Editor | undefined>} none where there is no Chromium
 */
export async function openEditor(n8n, screen) {
	const executablePath = await ensureChromium();
	if (executablePath === undefined) return undefined;
	const browser = await chromium.launch({
		executablePath,
		// Containers need these besides Playwright's own arguments.
		args: ['--disable-gpu', '--disable-quic'],
		// Playwright would end the program as soon as the browser is closed, before all else is.
		...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
	});
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...screen });
	const [name = '', value = ''] = n8n.cookie.split('=');
	await context.addCookies([{ name, value, url: n8n.baseUrl }]);
	const page = await context.newPage();
	page.setDefaultTimeout(TIMEOUT_MS);
	return new Editor(page, n8n.baseUrl);
}

/** n8n's editor, used as a person does: by the texts on the screen. */
export class Editor {
	#url;

	/**
	 * @param {Page} page of somebody who is logged in
	 * @param {string} url n8n's
	 */
	constructor(page, url) {
		this.page = page;
		this.#url = url;
	}

	async close() {
		await this.page.context().browser()?.close();
	}

	/** @param {string} id n8n's own name for a part of its interface */
	part(id) {
		return this.page.getByTestId(id);
	}

	/** Opens the list of nodes on an empty canvas. */
	async openNodes() {
		await this.page.goto(`${this.#url}/workflow/new`);
		await this.part('canvas-plus-button').first().click();
	}

	/**
	 * @param {string} words into the search field of the open list of nodes
	 * @returns {Promise<Locator>} the names of the nodes that are found
	 */
	async search(words) {
		await this.part('node-creator-search-bar').fill(words);
		return this.part('node-creator-item-name');
	}

	/**
	 * Adds the node to an empty canvas, and opens its panel.
	 *
	 * @param {string} action or event of the trigger, as the list of nodes names it
	 */
	async add(action) {
		const list = this.part('node-creator');
		await this.openNodes();
		await (await this.search(NODE)).getByText(NODE, { exact: true }).click();
		// Without a trigger on the canvas, the actions stand under a heading that is shut.
		if (!action.startsWith('On ')) await list.getByText(/^Actions \(/).click();
		await list.getByText(action, { exact: true }).first().click();
		await this.part('ndv').waitFor();
	}

	/** @param {string} name of a parameter */
	field(name) {
		return this.part(`parameter-input-${name}`);
	}

	/**
	 * @param {string} name of a text parameter; of several in a list, the last one
	 * @param {string} text in place of what is there
	 */
	async fill(name, text) {
		await this.field(name).last().click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.type(text);
		await sleep(HAND_TO_MOUSE_MS);
	}

	/**
	 * @param {string} name of a parameter with options
	 * @param {RegExp} option what it shows
	 */
	async choose(name, option) {
		await this.field(name).click();
		await this.page.getByRole('option', { name: option }).first().click();
	}

	/** @param {string} name in the list of Additional Fields */
	async addField(name) {
		await this.page.getByPlaceholder('Add Field').click();
		await this.page.getByRole('option', { name, exact: true }).click();
	}

	/**
	 * @param {string} name of a parameter that picks from a list
	 * @param {string} words to search for
	 * @returns {Promise<Locator>} the first row that is found
	 */
	async searchList(name, words) {
		await this.field(name).getByTestId('rlc-input-container').click();
		const rows = this.part('rlc-item').filter({ visible: true });
		await rows.first().waitFor();
		await this.page.keyboard.type(words);
		const found = rows.filter({ hasText: words }).first();
		await found.waitFor();
		return found;
	}

	/** Runs the node whose panel is open. */
	async execute() {
		await this.part('node-execute-button').click();
	}

	/** @param {string | RegExp} text of what the node put out, or of the message of its failure */
	async untilOutputShows(text) {
		await this.part('output-panel').filter({ hasText: text }).waitFor();
	}
}
