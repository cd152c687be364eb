import { redactText } from '../redaction/redactText';

/** Of one part of a label: payers write their names themselves, and what stands behind must still be seen. */
const MAX_PART_LENGTH = 80;
/** Line breaks, control characters, and those that turn around the direction of the text behind them. */
const UNSEEN = /[\s\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** What the user sees of a row: its parts in one line, each short enough, those that are empty left out. */
export const labelText = (parts: readonly string[], apiKey: string): string =>
	redactText(
		parts
			// Before it is cut: half of a card number is not known for one.
			.map((part) => shortened(redactText(part, apiKey).replace(UNSEEN, ' ').trim()))
			.filter(Boolean)
			.join(' · '),
		apiKey,
	);

function shortened(text: string): string {
	if (text.length <= MAX_PART_LENGTH) return text;
	// Half of a character would be shown as a question mark.
	return `${text.slice(0, MAX_PART_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
