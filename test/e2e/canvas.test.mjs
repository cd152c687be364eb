/// <reference lib="dom" />
/* global document, history, dispatchEvent, PopStateEvent */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { NO_CHROMIUM } from '../../scripts/installed/chromium.mjs';
import { readExamples } from '../../scripts/n8n-server/demo.mjs';
import { openEditor } from './support/editor.mjs';
import { importCopy } from './support/examples/exampleCopy.mjs';
import { n8n } from './support/session.mjs';
import { until } from './support/until.mjs';

/** The examples in n8n's editor, as they look right after the import. */

const LOADING_MS = 20_000;
/** n8n moves the canvas once more when it knows the size of all nodes. */
const REST_MS = 500;

const editor = await openEditor(n8n, { viewport: { width: 1400, height: 900 } });
after(() => editor?.close());
await editor?.page.goto(n8n.baseUrl);
await editor?.part('universal-add').waitFor();

/** Runs in the page. @returns the name of each node, the heading of each note, and the problem that it has */
function lookAtCanvas() {
	const all = (/** @type {string} */ id) => [
		.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-test-id="${id}"]`)),
	];
	const isCovered = (/** @type {Element} */ box) => {
		const text = document.createRange();
		text.selectNodeContents(box);
		return [...text.getClientRects()].some(({ left, right, top, bottom }) =>
			[left + 1, (left + right) / 2, right - 1].some((x) => {
				const found = document.elementFromPoint(x, (top + bottom) / 2);
				return found?.closest('.vue-flow__node') !== box.closest('.vue-flow__node');
			}),
		);
	};
	const problemOf = (/** @type {Element | null | undefined} */ box) => {
		if (!box) return 'is missing';
		if (box.scrollHeight > box.clientHeight) return 'is too high for its box';
		if (box.scrollWidth > box.clientWidth) return 'is too wide for its box';
		return isCovered(box) ? 'is covered' : 'is whole';
	};
	const names = all('canvas-node').map((node) => {
		const name = node.dataset['nodeName'];
		// The last one, as a connection can have the same name.
		const label = [...node.querySelectorAll('*')].findLast(
			({ childElementCount, textContent }) => childElementCount === 0 && textContent === name,
		);
		return `${name} ${problemOf(label)}`;
	});
	const notes = all('sticky').map(
		(note) => `${note.querySelector('h2')?.textContent} ${problemOf(note.firstElementChild)}`,
	);
	return [...names, ...notes];
}

for (const { file, workflow } of await readExamples())
	test(
		`${file} shows all text of its notes, and the whole names of its nodes`,
		{ skip: !editor && process.env['BROWSER_TESTS'] !== 'required' && NO_CHROMIUM },
		async (t) => {
			assert.ok(editor, NO_CHROMIUM);
			const { page } = editor;
			const { id } = await importCopy(t, n8n, file);
			// Takes a tenth of the time of opening a new page.
			await page.evaluate((path) => {
				history.pushState({}, '', path);
				dispatchEvent(new PopStateEvent('popstate', { state: {} }));
			}, `/workflow/${id}`);
			// Finds names, which the mouse passes through, but no buttons that only the mouse makes visible.
			await page.addStyleTag({
				content: `.vue-flow__node div { pointer-events: all !important }
					[data-test-id="canvas-node-toolbar"], [data-test-id^="execute-workflow-button-"] { display: none }`,
			});
			const look = async () => {
				const seen = await page.evaluate(lookAtCanvas);
				assert.equal(seen.length, workflow.nodes.length);
				assert.deepEqual(
					seen.filter((sentence) => !sentence.endsWith('is whole')),
					[],
				);
			};
			await until(look, LOADING_MS);
			await sleep(REST_MS);
			await look();
		},
	);
