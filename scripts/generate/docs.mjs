/**
 * `npm run docs` writes the pages of docs/ that are made from the code: parts between marks, in
 * docs/n8n-engine.md the links to tests, and the names that saved workflows depend on. With --check nothing is written, and a page that would change is an error; the tests run that.
 * What the trigger's polls cost is measured, which takes a minute: `npm run costs -- --write` does it.
 */

import { parseArgs } from 'node:util';

import { operationText } from './operations.mjs';
import { SAVED_NAMES, savedNames } from './savedNames.mjs';
import { serviceTables } from './service.mjs';
import { loadNodes } from './nodes.mjs';
import { pageWith, writePage } from './pages.mjs';
import { main } from '../lib/program.mjs';
import { withTestLinks } from './testLinks.mjs';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

await main(async () => {
	const nodes = await loadNodes();
	const operations = operationText(nodes);
	const pages = new Map([
		['docs/n8n-engine.md', await withTestLinks('docs/n8n-engine.md')],
		['docs/operations.md', await pageWith('docs/operations.md', { operations })],
		['docs/service.md', await pageWith('docs/service.md', await serviceTables())],
		[SAVED_NAMES, await savedNames(nodes)],
	]);
	for (const [path, text] of pages) {
		await writePage(path, text, { isCheck: options.check, command: 'npm run docs' });
	}
});
