import { checkOneOf } from '../../shared/input/inputChecks';
import { InputError, shown } from '../../shared/errors/inputError';
import { plainText } from '../../shared/plainText';
import type { StartFrom } from '../reading/begin';
import { parseInstant } from '../timestamps';

/** @throws {InputError} when the date is none */
export function readStart(kind: unknown, date: unknown, timeZone: string): StartFrom {
	switch (checkOneOf(kind, 'Start From', ['now', 'date', 'beginning'])) {
		case 'now':
			return { kind: 'now' };
		case 'beginning':
			return { kind: 'beginning' };
	}
	const instant = parseInstant(inTimeZone(plainText(date), timeZone));
	if (instant === undefined) {
		throw new InputError(
			`Start Date is ${shown(date)}: it must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:00:00Z`,
		);
	}
	return { kind: 'date', date: instant };
}

/** The editor's date picker gives a date-time without an offset, meant in the workflow's time zone. */
function inTimeZone(text: string, timeZone: string): string {
	const local = text.trim().replace(' ', 'T');
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/.test(local)) return text;
	const asUtcMs = Date.parse(`${local}${local.includes('T') ? '' : 'T00:00'}Z`);
	if (Number.isNaN(asUtcMs)) return text;
	// Twice, since the offset at the instant that was meant may be another one.
	const once = asUtcMs - offsetMsAt(asUtcMs, timeZone);
	return new Date(asUtcMs - offsetMsAt(once, timeZone)).toISOString();
}

function offsetMsAt(ms: number, timeZone: string): number {
	const local = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'medium',
	}).format(ms);
	return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}
