import { createHash } from 'node:crypto';
import type { FunctionsBase } from 'n8n-workflow';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty for anything but text and numbers. */
export const plainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Control and format characters, zero-width ones, joiners, fillers, placeholders. */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\uFFFC`;
const EVERY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');
/** The lookbehind makes the search start only where a run begins, so that long runs stay fast. */
const AT_ENDS = new RegExp(`^[\\s${UNSEEN}]+|(?<![\\s${UNSEEN}])[\\s${UNSEEN}]+$`, 'gu');

/** Removes spaces and unseen characters at both ends; within the text, they can have a meaning. */
export const trimmed = (text: string): string => text.replace(AT_ENDS, '');

/** Cleans an ID, a key or a number, in which unseen characters have no meaning. */
export const asSeen = (text: string): string => withHyphens(text.replace(EVERY_UNSEEN, '').trim());

/** Cleans a search text. A letter and its accent become one character, except in long texts, which can take seconds. */
export function searchText(text: string): string {
	const seen = withHyphens(trimmed(text));
	return seen.length > MAX_SEARCH_LENGTH ? seen : seen.normalize('NFC');
}

const MAX_SEARCH_LENGTH = 1_000;

const UUID = /^[\da-f]{8}(?:\p{Dash}[\da-f]{4}){3}\p{Dash}[\da-f]{12}$/iu;
/** Word processors and PDFs put other dashes into a UUID. */
const withHyphens = (text: string): string =>
	text.replace(UUID, (id) => id.replace(/\p{Dash}/gu, '-'));

/** Shows unseen characters as escapes, such as \u200B. */
export const withUnseenShown = (text: string): string =>
	text.replace(
		EVERY_UNSEEN,
		(sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
	);

/** An object without inherited fields such as `constructor`. */
export const byName = <Value>(entries: ReadonlyArray<readonly [string, Value]>) =>
	Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, Value>;

export const asError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));

/** One object for each key, made on first use and kept as long as the key. */
export function onePer<Value>(make: () => Value): (key: object) => Value {
	const values = new WeakMap<object, Value>();
	return (key) => {
		const value = values.get(key) ?? make();
		values.set(key, value);
		return value;
	};
}

/** SHA-256 of the JSON of a value that must not be stored itself, as 43 characters of base64url. */
export const hashOf = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

export type NodeContext = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** Identifies a node by its workflow and its ID, which stays when the node is renamed. */
export const nodeKey = (context: NodeContext): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);

export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
