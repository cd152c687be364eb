import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';

import { chromium, selectors } from 'playwright-core';

import { CHROMIUM_ARGUMENTS } from '../../../../scripts/installed/chromium.mjs';
import { ROOT } from '../../../../scripts/lib/project.mjs';
import { Editor } from './editor.mjs';

selectors.setTestIdAttribute('data-test-id');

const ACTION_TIMEOUT_MS = 60_000;
const PICTURES = join(ROOT, 'screenshots');

/** What a person's screen shows. */
const VIEWPORT = { width: 1440, height: 900 };

/**
 * Opens n8n's editor for somebody who is logged in.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n logged in
 * @param {string} chromiumPath
 * @param {{ colorScheme?: 'light' | 'dark' }} [options]
 */
export async function openEditor(n8n, chromiumPath, { colorScheme = 'light' } = {}) {
	const browser = await chromium.launch({ executablePath: chromiumPath, args: CHROMIUM_ARGUMENTS });
	const context = await browser.newContext({ viewport: VIEWPORT, colorScheme });
	const { cookies, browserId } = n8n.session;
	await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: n8n.baseUrl })));
	// n8n takes a session of the browser only that it was given to.
	await context.addInitScript(`localStorage.setItem('n8n-browserId', '${browserId}')`);
	const page = await context.newPage();
	page.setDefaultTimeout(ACTION_TIMEOUT_MS);
	return { editor: new Editor(page, n8n.baseUrl), close: async () => await browser.close() };
}

/**
 * For a test file: one browser for all of its tests. A test that fails leaves a picture of what it saw.
 *
 * @param {import('../../../../scripts/n8n-server/client/index.mjs').N8nClient} n8n logged in
 * @returns {Promise<(work: (editor: Editor, t: import('node:test').TestContext) => Promise<void>) => (t: import('node:test').TestContext) => Promise<void>>}
 */
export async function browserTests(n8n) {
	const path = process.env['E2E_CHROMIUM'];
	if (path === undefined) throw new Error('Run the end-to-end tests with npm run test:e2e');
	const { editor, close } = await openEditor(n8n, path);
	after(close);
	return (work) => async (t) => {
		editor.person.actions = 0;
		try {
			await work(editor, t);
		} catch (error) {
			await mkdir(PICTURES, { recursive: true });
			const file = join(PICTURES, `failed ${t.name.replace(/\W+/g, ' ')}.png`);
			await editor.page.screenshot({ path: file }).catch(() => {});
			console.error(`What the browser showed is in ${file}`);
			throw error;
		}
	};
}
