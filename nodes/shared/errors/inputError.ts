import { redactText } from '../redaction/redactText';
import { ReportedError } from './failure';

const MAX_SHOWN = 60;
const MAX_SEARCHED = 2_000;

/**
 * A value that the user gave and that can't be sent. Nothing was carried out for it; a charge may have been read.
 *
 * `message` names the field, the limit and the value's size; `advice` says what to change, and that nothing was sent.
 */
export class InputError extends ReportedError {
	constructor(message: string, advice = 'Correct the value. Nothing was sent.') {
		super(message, advice);
	}
}

/**
 * The value's own text, short enough for a message, so that a whole pasted document does not end up in it, and
 * without card numbers: a field may be given any part of a charge by mistake.
 */
export const quoted = (value: unknown): string => quotedText(textOf(value));

/** The same of a text, without quotation marks. */
export function quotedText(text: string): string {
	// Of more than that nothing is shown: a pasted document need not be searched.
	const beginning = redactText(text.slice(0, MAX_SEARCHED), '');
	if (text.length <= MAX_SEARCHED && beginning.length <= MAX_SHOWN) return beginning;
	const { length } = text.length <= MAX_SEARCHED ? beginning : text;
	return `${beginning.slice(0, MAX_SHOWN - 3)}… (${length} characters)`;
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return `"${value}"`;
	// JSON would turn NaN and Infinity into null, and fails for a bigint.
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	const json = JSON.stringify(value) as string | undefined;
	return json ?? typeof value;
}
