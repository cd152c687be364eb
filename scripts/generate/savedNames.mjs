/**
 * The names that saved workflows depend on, one a line: every parameter with its type and its default, which n8n does
 * not save.
 * `npm run docs` adds what is new and refuses to take away or change what is there, since a workflow that somebody
 * saved would then do something else, or nothing.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { operationsOf } from './nodes.mjs';
import { UserError } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';

export const SAVED_NAMES = 'test/package/savedNames.jsonl';

/** @typedef {import('./nodes.mjs').Field} Field */
/**
 * place: an operation, such as "charge get", the trigger, or a list of resources or operations.
 *
 * @typedef {{ place: string, path: string, type: string, default: unknown, required?: true, values?: string[] }} SavedName
 */

/** More choices than these are a list of somebody else's: the currencies. */
const MAX_CHOICES = 12;

/**
 * Every field at every depth by its path: `filters.currency`, `items.item[].name`.
 *
 * @param {readonly Field[]} fields
 * @param {string} [prefix]
 * @returns {[path: string, field: Field][]}
 */
function flatten(fields, prefix = '') {
	return fields.flatMap((field) => {
		// A trace of expressions in a collection has no type, since no workflow saves it.
		if (field.type === undefined || field.type === 'notice') return [];
		const path = prefix + field.name;
		const options = /** @type {any[]} */ (field.options ?? []);
		const inner = options.flatMap((option) =>
			'values' in option
				? flatten(option.values, `${path}.${option.name}[].`)
				: field.type === 'collection'
					? flatten([option], `${path}.`)
					: [],
		);
		return [[path, field], ...inner];
	});
}

/**
 * Of two fields of one name, which are shown at different times, the last one.
 *
 * @param {string} place @param {readonly Field[]} fields @returns {SavedName[]}
 */
const namesOf = (place, fields) =>
	Array.from(
		new Map(flatten(fields)),
		([path, { type, default: byDefault, required, options = [] }]) => {
			const values = options.flatMap((option) => ('value' in option ? String(option.value) : []));
			const isOurs = values.length > 0 && values.length <= MAX_CHOICES && type !== 'collection';
			return {
				place,
				path,
				type,
				default: byDefault,
				...(required ? { required } : {}),
				...(isOurs ? { values } : {}),
			};
		},
	);

/**
 * Whether a saved value still means the same. A choice may be added, and what was required may be left out.
 *
 * @param {SavedName} was
 * @param {SavedName | undefined} now
 */
const isKept = (was, now) =>
	now !== undefined &&
	now.type === was.type &&
	(was.required || !now.required) &&
	JSON.stringify(now.default) === JSON.stringify(was.default) &&
	(was.values ?? []).every((value) => now.values?.includes(value));

/**
 * @param {{ action: readonly Field[], trigger: readonly Field[] }} nodes
 * @returns {Promise<string>} a line of JSON for each name
 */
export async function savedNames({ action, trigger }) {
	const names = [
		...operationsOf(action).flatMap(({ resource, operation, fields }) =>
			namesOf(`${resource.value} ${operation.value}`, fields),
		),
		...namesOf('trigger', trigger),
		...action
			.filter(({ name }) => name === 'resource' || name === 'operation')
			.flatMap((field) => namesOf(String(field.displayOptions?.show?.['resource'] ?? ''), [field])),
	];
	const lines = await readFile(join(ROOT, SAVED_NAMES), 'utf8').catch(() => '');
	/** @type {SavedName[]} */
	const saved = lines.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
	const broken = saved.filter(
		(was) =>
			!isKept(
				was,
				names.find(({ place, path }) => place === was.place && path === was.path),
			),
	);
	if (broken.length > 0) {
		const gone = broken.map(({ place, path }) => `${place} → ${path}`).join(', ');
		throw new UserError(
			`Saved workflows depend on these, which are gone or changed: ${gone}. If that is meant, take them out of ${SAVED_NAMES} by hand, and say so in CHANGELOG.md.`,
		);
	}
	return names.map((name) => `${JSON.stringify(name)}\n`).join('');
}
