/**
 * The names that saved workflows depend on: every parameter with its type and its default, which n8n does not save.
 * `npm run docs` adds what is new and refuses to take away or change what is there, since a workflow that somebody
 * saved would then do something else, or nothing.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { operationsOf } from './nodes.mjs';
import { UserError } from '../lib/program.mjs';
import { ROOT } from '../lib/project.mjs';

export const SAVED_NAMES = 'test/package/savedNames.json';

/** @typedef {import('./nodes.mjs').Field} Field */
/** @typedef {{ type: string, default: unknown, required?: true, values?: string[] }} SavedName */
/** @typedef {Record<string, Record<string, SavedName>>} SavedNames */

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

/** @param {Field} field @returns {SavedName} */
function nameOf({ type, default: byDefault, required, options = [] }) {
	const values = options.flatMap((option) => ('value' in option ? String(option.value) : []));
	const isOurs = values.length > 0 && values.length <= MAX_CHOICES && type !== 'collection';
	return {
		type,
		default: byDefault,
		...(required ? { required } : {}),
		...(isOurs ? { values } : {}),
	};
}

/** @param {readonly Field[]} fields */
const namesOf = (fields) =>
	Object.fromEntries(flatten(fields).map(([path, field]) => [path, nameOf(field)]));

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
 * @returns {Promise<string>} as JSON
 */
export async function savedNames({ action, trigger }) {
	/** @type {SavedNames} */
	const names = Object.fromEntries([
		...operationsOf(action).map(({ resource, operation, fields }) => [
			`${resource.value} ${operation.value}`,
			namesOf(fields),
		]),
		['trigger', namesOf(trigger)],
		...action
			.filter(({ name }) => name === 'resource' || name === 'operation')
			.map((field) => [
				[field.displayOptions?.show?.['resource'], field.name].filter(Boolean).join(' '),
				{ [field.name]: nameOf(field) },
			]),
	]);
	/** @type {SavedNames} */
	const saved = JSON.parse(await readFile(join(ROOT, SAVED_NAMES), 'utf8').catch(() => '{}'));
	const broken = Object.entries(saved).flatMap(([place, parameters]) =>
		Object.entries(parameters)
			.filter(([path, was]) => !isKept(was, names[place]?.[path]))
			.map(([path]) => `${place} → ${path}`),
	);
	if (broken.length > 0) {
		throw new UserError(
			`Saved workflows depend on these, which are gone or changed: ${broken.join(', ')}. If that is meant, take them out of ${SAVED_NAMES} by hand, and say so in CHANGELOG.md.`,
		);
	}
	return JSON.stringify(names);
}
