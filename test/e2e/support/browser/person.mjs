import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('playwright-core').Locator} Locator */

/** n8n takes over what is typed only after a pause of 100 ms. Nobody's hand is on the mouse any sooner. */
const HAND_TO_MOUSE_MS = 250;

/** Whoever sits at the computer. Each click, each text that is typed and each key that is pressed is one action. */
export class Person {
	actions = 0;
	#page;

	/** @param {import('playwright-core').Page} page */
	constructor(page) {
		this.#page = page;
	}

	/** @param {Locator} target */
	async click(target) {
		this.actions++;
		await target.click();
	}

	/** @param {Locator} target */
	async doubleClick(target) {
		this.actions++;
		await target.dblclick();
	}

	/** @param {string} text goes to where the cursor is */
	async type(text) {
		this.actions++;
		await this.#page.locator(':is(input, textarea, [contenteditable]):focus').waitFor();
		await this.#page.keyboard.type(text);
		await sleep(HAND_TO_MOUSE_MS);
	}

	/** @param {string} key such as "Enter" */
	async press(key) {
		this.actions++;
		await this.#page.keyboard.press(key);
	}
}
