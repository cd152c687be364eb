import { createHash } from 'node:crypto';
import type { FunctionsBase } from 'n8n-workflow';

/** Whether a value is an object with fields: no list, and not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field's text or number as text; anything else, which is not documented, as nothing. */
export const plainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Characters that no one sees: control and format characters, zero-width ones, joiners, fillers, placeholders. */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\uFFFC`;
const EVERY_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');
/** Each run at an end is tried once: from where it begins. */
const AT_ENDS = new RegExp(`^[\\s${UNSEEN}]+|(?<![\\s${UNSEEN}])[\\s${UNSEEN}]+$`, 'gu');

/** A text without spaces of any kind and unseen characters at its ends; within it, they may have a meaning. */
export const trimmed = (text: string): string => text.replace(AT_ENDS, '');

/** An ID, a key or a number as it is seen: none of the characters that can't be seen has a meaning there. */
export const asSeen = (text: string): string => withHyphens(text.replace(EVERY_UNSEEN, '').trim());

/** A text to search for: a letter and its accent are one character. Some long texts take seconds to normalize. */
export function searchText(text: string): string {
	const seen = withHyphens(trimmed(text));
	return seen.length > MAX_SEARCH_LENGTH ? seen : seen.normalize('NFC');
}

const MAX_SEARCH_LENGTH = 1_000;

const UUID = /^[\da-f]{8}(?:\p{Dash}[\da-f]{4}){3}\p{Dash}[\da-f]{12}$/iu;
/** Word processors and PDFs put other dashes into a UUID. */
const withHyphens = (text: string): string =>
	text.replace(UUID, (id) => id.replace(/\p{Dash}/gu, '-'));

/** The text with what can't be seen in it as escapes, such as \\u200B. */
export const withUnseenShown = (text: string): string =>
	text.replace(
		EVERY_UNSEEN,
		(sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
	);

/** An object with just these fields, where `constructor` and the like are none. */
export const byName = <Value>(entries: ReadonlyArray<readonly [string, Value]>) =>
	Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, Value>;

/** What was thrown, which may be anything. */
export const asError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));

/** One object of a kind for each key, made when it is asked for first, and kept as long as the key itself. */
export function onePer<Value>(make: () => Value): (key: object) => Value {
	const values = new WeakMap<object, Value>();
	return (key) => {
		const value = values.get(key) ?? make();
		values.set(key, value);
		return value;
	};
}

/** Stands for a value that must not be kept itself: SHA-256 of its JSON, as 43 characters of base64url. */
export const hashOf = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

export type NodeContext = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** A node by its workflow and ID, which stays when the node is renamed. */
export const nodeKey = (context: NodeContext): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);
