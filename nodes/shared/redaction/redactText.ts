import { SECURITY_CODE } from '../../../contract/sensitiveNames';
import { plainText, trimmed } from '../values';
import { withoutCardNumbers } from './cardNumbers';
import {
	LEAST_SECRET_LENGTH,
	NO_SECRET,
	REDACTED,
	cleaned,
	keyRemover,
	secretsFrom,
	withoutSecrets,
} from './secretTexts';

const CODE_NAME = new RegExp(SECURITY_CODE, 'i');
/** The digits of cvv: 917, "cvv":"917", security code 917, … */
const NAMED_CODE = new RegExp(
	String.raw`(?=\d{3})(?<=(?:${SECURITY_CODE})[^A-Za-z\d.,;!?]{1,9}(?:(?:is|was)[^A-Za-z\d.,;!?]{1,3})?)\d{3,4}(?![A-Za-z\d]|[.,:/-]\d)`,
	'gi',
);
/** "token": "…", token=…, Token …, and "cvv": "…" */
const NAMED_SECRET = new RegExp(
	String.raw`((?:${SECURITY_CODE})[\s\\"']*[:=][\s\\"']*|token(?:_?id)?\b[\s\\"']*(?:(?:[:=]|(?:is|was)\b)[\s\\"']*)?)([^\s\\"',;{}<>&]+)`,
	'gi',
);

export const withoutNamedCodes = (text: string): string =>
	CODE_NAME.test(text) ? text.replace(NAMED_CODE, REDACTED) : text;

/** Removes the key, card numbers, and values that are named a token or a code from any text. */
export const redactText = (text: string, apiKey: string): string =>
	cleaned(text, (one) => {
		const named: string[] = [];
		const unnamed = withoutNamedCodes(keyRemover(apiKey)(one)).replace(
			NAMED_SECRET,
			(found: string, name: string, value: string) => {
				// Two of three show a secret, since a reason can follow a name: "token: This field is required."
				const hints = [/\d/.test(value), value.length >= LEAST_SECRET_LENGTH, /[:=]/.test(name)];
				if (NO_SECRET.test(value) || hints.filter(Boolean).length < 2) return found;
				named.push(value);
				return name + REDACTED;
			},
		);
		// A secret that was named once can appear again without its name.
		return withoutCardNumbers(withoutSecrets(unnamed, secretsFrom(named)));
	});

const MAX_SEARCHED = 20_000;
const MAX_SHOWN = 500;
/** Line breaks, control characters, and those that reverse the direction of text. */
const OUT_OF_LINE = /[\s\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Makes a text fit for a message, a hint, a label or a warning: one line, without secrets, and cut. Empty if nothing is left. */
export function shownText(value: unknown, apiKey: string, most = MAX_SHOWN): string {
	const whole = plainText(value);
	const line = whole.slice(0, MAX_SEARCHED).replace(OUT_OF_LINE, ' ');
	const searched = redactText(line, apiKey);
	// Leaves out the end of the searched part, where a secret can begin.
	const text = trimmed(whole.length <= MAX_SEARCHED ? searched : searched.slice(0, -MAX_SHOWN));
	if (text.length <= most) return text;
	const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
	// Half a token would no longer be recognized, so the last word is left out, unless it is longer than half of the limit.
	const [word = ''] = /[!-~]*$/.exec(cut) ?? [];
	return `${word.length > most / 2 ? cut : cut.slice(0, cut.length - word.length)}…`;
}
