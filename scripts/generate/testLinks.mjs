import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { filesBelow } from '../lib/folders.mjs';
import { UserError } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';

/** A link whose text is the title of a test, in curly quotes. */
const TEST_LINK = /\[“([^”]+)”\]\([^)]*\)/g;

/**
 * A page whose links with the title of a test lead to the file that has this test, wherever it stands by now.
 *
 * @param {string} path of the page, below the root
 * @returns {Promise<string>}
 */
export async function withTestLinks(path) {
	const page = await readFile(join(ROOT, path), 'utf8');
	const tests = (await filesBelow(join(ROOT, 'test'))).filter((name) => /\.(mjs|ts)$/.test(name));
	const sources = await Promise.all(
		tests.map(async (name) => await readFile(join(ROOT, 'test', name), 'utf8')),
	);
	return page.replaceAll(TEST_LINK, (_link, title) => {
		const index = sources.findIndex((source) =>
			["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`)),
		);
		const test = tests[index];
		if (test === undefined)
			throw new UserError(`${path} names a test that does not exist: ${title}`);
		return `[“${title}”](${relative(dirname(path), join('test', test))})`;
	});
}
