import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { format, getFileInfo, resolveConfig } from 'prettier';

import { UserError } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';

/** Pages of docs/ that are made from the code, whole or in part. */

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();

/**
 * @param {string[]} heads
 * @param {string[][]} rows
 */
export const table = (heads, rows) =>
	[heads, heads.map(() => '---'), ...rows]
		.map((row) => `| ${row.map(cell).join(' | ')} |`)
		.join('\n');

/**
 * A page with its parts made anew: each stands between `<!-- name:begin -->` and `<!-- name:end -->`.
 *
 * @param {string} path of the page, below the root
 * @param {Record<string, string>} parts their texts by their names
 * @returns {Promise<string>} the whole page
 */
export async function pageWith(path, parts) {
	let page = await readFile(join(ROOT, path), 'utf8');
	for (const [name, text] of Object.entries(parts)) {
		const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
		const from = page.indexOf(begin);
		const to = page.indexOf(end);
		if (from < 0 || to < from) throw new UserError(`${path} has no place for ${begin} … ${end}`);
		page = `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
	}
	return page;
}

/**
 * Writes a page unless it is as it should be.
 *
 * @param {string} path below the root
 * @param {string} text
 * @param {{ isCheck: boolean, command: string }} options isCheck: a page that would change is an error, and nothing is
 * written; command: what writes the page
 */
export async function writePage(path, text, { isCheck, command }) {
	const target = join(ROOT, path);
	// Lines of JSON have no format of prettier's.
	const { inferredParser } = await getFileInfo(target);
	const wanted =
		inferredParser === null
			? text
			: await format(text, { ...(await resolveConfig(target)), filepath: target });
	const present = await readFile(target, 'utf8').catch(() => '');
	if (wanted === present) return;
	if (isCheck) throw new UserError(`${path} is out of date: run ${command}`);
	await mkdir(dirname(target), { recursive: true });
	await writeFile(target, wanted);
	console.log(`Wrote ${path}`);
}
