/**
 * A value that the user gave and that can't be sent. Thrown before any request goes out.
 *
 * `message` names the field, the limit and the value's size; `advice` says what to change.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/** The value's own text, short enough for a message, so that a whole pasted document does not end up in it. */
export function shown(value: unknown): string {
	const text =
		typeof value === 'string'
			? `"${value}"`
			: ((JSON.stringify(value) as string | undefined) ?? String(value));
	return text.length > 60 ? `${text.slice(0, 57)}… (${text.length} characters)` : text;
}
