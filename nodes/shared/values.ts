import { createHash } from 'node:crypto';

/** Whether a value is an object with fields: no list, and not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field's text or number as text; anything else, which the document does not show, as nothing. */
export const plainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

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
