import { setTimeout as sleep } from 'node:timers/promises';

import { Person } from './person.mjs';

const QUIET_MS = 1_000;
const LOOK_MS = 100;
/** The list changes in several steps. */
const SETTLE_MS = 400;
const MAX_LOOKS = 10;

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** n8n's editor as a person uses it: by what stands on the screen. */
export class Editor {
	#page;
	#url;

	/**
	 * @param {Page} page of somebody who is logged in
	 * @param {string} url n8n's
	 */
	constructor(page, url) {
		this.#page = page;
		this.#url = url;
		this.person = new Person(page);
	}

	/** Waits until the screen is quiet, and moves the mouse out of the way. */
	async rest() {
		await this.#page.mouse.move(0, 0);
		await this.#page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {});
		await sleep(QUIET_MS);
	}

	/** For what has no method. */
	get page() {
		return this.#page;
	}

	/** @param {string} id n8n's own name for a part of its interface */
	part(id) {
		return this.#page.getByTestId(id);
	}

	/** @param {string} path such as /home/workflows */
	async goTo(path) {
		await this.#page.goto(this.#url + path);
	}

	async openNewWorkflow() {
		await this.goTo('/workflow/new');
		await this.part('canvas-plus-button').first().waitFor();
	}

	/** @param {string} id */
	async openWorkflow(id) {
		await this.goTo(`/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
	}

	/** Of an empty canvas. */
	async startFirstStep() {
		await this.person.click(this.part('canvas-plus-button').first());
	}

	/**
	 * Opens the list of nodes behind a node of the canvas.
	 *
	 * @param {string} name
	 */
	async startStepBehind(name) {
		await this.person.click(this.node(name).getByTestId('canvas-handle-plus'));
	}

	/**
	 * Opens the list of tools of an agent on the canvas.
	 *
	 * @param {string} name
	 */
	async startToolOf(name) {
		const handle = this.node(name).locator('[data-connection-type="ai_tool"]');
		await this.person.click(handle.getByTestId('canvas-handle-plus'));
		// Before that, for a moment, the list is one of other nodes.
		await this.part('node-creator').getByText('Recommended Tools').waitFor();
	}

	/**
	 * @param {string} words into the search field of the open list of nodes, in place of what is there
	 * @returns {Promise<string[]>} names of the nodes that are found
	 */
	async search(words) {
		const field = this.part('node-creator-search-bar');
		await this.#page.locator('[data-test-id="node-creator-search-bar"]:focus').waitFor();
		if ((await field.inputValue()) !== '') await this.person.press('ControlOrMeta+A');
		const rows = this.part('node-creator-item-name');
		await rows.first().waitFor();
		const before = (await rows.allInnerTexts()).join();
		await this.person.type(words);
		// What is found may be what was there.
		for (let looks = 0; looks < MAX_LOOKS; looks++) {
			if ((await rows.allInnerTexts()).join() !== before) break;
			await sleep(LOOK_MS);
		}
		await sleep(SETTLE_MS);
		return await rows.allInnerTexts();
	}

	/** @param {string} name of a node, an action or a group of them in the list of nodes */
	async pick(name) {
		const row = this.part('node-creator').getByText(name, { exact: true });
		await this.person.click(row.first());
	}

	/** A canvas without a trigger lists actions under a heading that is shut. */
	async unfoldActions() {
		await this.person.click(this.part('node-creator').getByText(/^Actions \(/));
	}

	/**
	 * Carries out the first command that is found in n8n's command bar.
	 *
	 * @param {string} words
	 * @param {string} command what it must say
	 */
	async command(words, command) {
		await this.person.press('ControlOrMeta+k');
		await this.person.type(words);
		const first = this.part('command-bar-items-list').locator('[data-item-id]').first();
		await first.getByText(command, { exact: true }).waitFor();
		await this.person.press('Enter');
	}

	/** Opens the panel of the node that was added to the canvas last. */
	async openAddedNode() {
		await this.part('command-bar').waitFor({ state: 'hidden' });
		await this.#page.locator('.selected[data-test-id="canvas-node"]').waitFor();
		// It shows as selected a moment before it listens.
		await sleep(QUIET_MS);
		await this.person.press('Enter');
		await this.part('ndv').waitFor();
	}

	/** Out of the panel of a node into that of the one that follows. */
	async goToNextNode() {
		await this.person.click(this.part('floating-node').last());
	}

	/** @param {string} address of a file */
	async importWorkflow(address) {
		await this.command('import', 'Import workflow from URL');
		await this.part('workflow-url-import-input').waitFor();
		await this.person.type(address);
		await this.person.press('Enter');
		await this.part('canvas-node').first().waitFor();
	}

	/** @param {string} trigger by which the open workflow runs to its end */
	async executeFrom(trigger) {
		// The button shows where the mouse is at the trigger.
		await this.node(trigger).hover();
		await this.person.click(this.part(`execute-workflow-button-${trigger}`));
		await this.#page.getByText('Workflow executed successfully').waitFor();
	}

	/** @param {string} name of a node on the canvas */
	node(name) {
		return this.part('canvas-node').filter({ has: this.#page.getByText(name, { exact: true }) });
	}

	/** @param {string} name of a node on the canvas, whose panel opens */
	async openNode(name) {
		await this.person.doubleClick(
			this.node(name)
				.getByTestId('canvas-default-node')
				.or(this.node(name).getByTestId('canvas-trigger-node'))
				.first(),
		);
		await this.part('ndv').waitFor();
	}

	async closeNode() {
		await this.person.click(this.part('ndv-close-button'));
	}

	/** The middle of the panel of a node, with its tabs. */
	parameters() {
		const around = 'xpath=ancestor::*[.//*[@data-test-id="node-execute-button"]][1]';
		return this.part('node-parameters').locator(around);
	}

	/** @param {string} name of a parameter */
	field(name) {
		return this.part(`parameter-input-${name}`);
	}

	/**
	 * @param {string} name of a text parameter
	 * @param {string} text
	 */
	async fill(name, text) {
		await this.person.click(this.field(name));
		await this.person.type(text);
	}

	/**
	 * @param {string} name of a text parameter
	 * @param {string} text in place of what is there
	 */
	async fillAnew(name, text) {
		await this.person.click(this.field(name));
		await this.person.press('ControlOrMeta+A');
		await this.person.type(text);
	}

	/**
	 * @param {string} name of a parameter with options
	 * @param {string | RegExp} option what it shows
	 */
	async choose(name, option) {
		await this.person.click(this.field(name));
		await this.person.click(this.#page.getByRole('option', { name: option }).first());
	}

	/**
	 * @param {string} name of a parameter that picks from a list
	 * @param {string} words to search for
	 * @returns {Promise<string>} what was picked: the first one found
	 */
	async pickFromList(name, words) {
		const row = await this.searchList(name, words);
		const label = await row.innerText();
		await this.person.click(row);
		return label;
	}

	/**
	 * @param {string} name of a parameter that picks from a list
	 * @param {string} words to search for
	 * @returns {Promise<Locator>} the first row that is found
	 */
	async searchList(name, words) {
		await this.person.click(this.field(name).getByTestId('rlc-input-container'));
		const rows = this.part('rlc-item').filter({ visible: true });
		await rows.first().waitFor();
		const found = this.#page.waitForResponse(
			(response) =>
				response.url().includes('resource-locator-results') &&
				(response.request().postData() ?? '').includes(words),
		);
		await this.person.type(words);
		await found;
		await this.part('rlc-item').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
		await rows.first().waitFor();
		return rows.first();
	}

	/**
	 * @param {string} name of a parameter that picks from a list
	 * @param {string} label of a row that is there without a search
	 */
	async pickFromShortList(name, label) {
		await this.person.click(this.field(name).getByTestId('rlc-input-container'));
		const rows = this.part('rlc-item').filter({ visible: true });
		await this.person.click(rows.getByText(label, { exact: true }));
	}

	/** In a node that maps fields to columns. */
	async mapAutomatically() {
		await this.person.click(this.part('mapping-mode-select'));
		await this.person.click(this.#page.getByRole('option', { name: /Map Automatically/ }));
	}

	/** Publishes the open workflow, and waits until n8n says so. */
	async publish() {
		await this.person.click(this.part('workflow-open-publish-modal-button'));
		await this.person.click(this.part('workflow-publish-button'));
		await this.part('workflow-publish-button').waitFor({ state: 'hidden' });
		const button = this.part('workflow-open-publish-modal-button');
		await button.getByText('Published').waitFor();
	}

	/** @returns {string} id of the open workflow */
	workflowId() {
		const [, id] = /\/workflow\/(\w+)/.exec(this.#page.url()) ?? [];
		if (id === undefined) throw new Error(`No workflow is open: ${this.#page.url()}`);
		return id;
	}

	/**
	 * @param {string} workflowId
	 * @returns {Promise<string>} what is said of its last execution
	 */
	async lastExecution(workflowId) {
		await this.goTo(`/workflow/${workflowId}/executions`);
		const details = this.part('executions-sidebar')
			.getByText(/ in \d/)
			.first();
		await details.waitFor();
		return await details.innerText();
	}

	/** @param {string} name of a parameter of a tool */
	async letModelFill(name) {
		const id = 'from-ai-override-button';
		const around = this.field(name).locator(`xpath=ancestor::*[.//*[@data-test-id="${id}"]][1]`);
		await this.person.click(around.getByTestId(id).first());
	}

	/** Runs the node whose panel is open, and waits for its end. */
	async execute() {
		await this.person.click(this.part('node-execute-button'));
		await this.part('node-run-status-success')
			.or(this.part('node-run-status-danger'))
			.first()
			.waitFor();
	}

	/** @returns {Promise<Record<string, string>[]>} the output's table */
	async output() {
		const table = this.part('output-panel').locator('table');
		await table.waitFor();
		const names = await table.locator('thead th').allInnerTexts();
		const read = async (/** @type {Locator} */ row) => {
			const cells = await row.locator('td').allInnerTexts();
			return Object.fromEntries(
				names.map((name, position) => [name.trim(), cells[position] ?? '']),
			);
		};
		return await Promise.all((await table.locator('tbody tr').all()).map(read));
	}

	/** @returns {Promise<string>} the message and its description, as the output panel shows them */
	async error() {
		return (await this.part('output-panel').innerText()).replace(/\s+/g, ' ');
	}

	/** @param {string} type name of a credential type */
	async openNewCredential(type) {
		await this.goTo('/home/credentials/create');
		const field = this.part('new-credential-type-select').getByRole('combobox');
		await this.person.click(field);
		await this.person.type(type);
		await this.person.click(this.#page.getByRole('option', { name: type, exact: true }));
		await this.person.click(this.part('new-credential-type-button'));
		await this.part('credential-edit-dialog').waitFor();
	}

	/** @returns {Promise<string>} what n8n says of the test that it carries out then, with its details */
	async saveCredential() {
		await this.person.click(this.part('credential-save-button'));
		const banner = this.part('node-credentials-config-container');
		const success = this.part('credentials-config-container-test-success');
		const details = banner.getByText('More details');
		await success.or(details).filter({ visible: true }).first().waitFor();
		if (await details.isVisible()) await this.person.click(details);
		return await banner.innerText();
	}
}
