import { lazyPattern } from '../lazyPattern';
import { guessNumbers } from './cardNumbers';
import { keyRemover } from './keyRemover';
import { LEAST_TO_REPLACE, REDACTED, withoutSecrets, withoutSpans } from './secretTexts';

export { REDACTED };

/** "token": "…", token=…, security code 917: the white space on either side of the sign can be read in one way only. */
const NAMED_SECRET =
	/((?:security[\s_-]?code|cv[cv]2?|token(?:_?id)?)\b[\\"']*\s*(?:(?:[:=]|\b(?:is|was)\b)\s*)?)(\\?"[^"]*"|'[^']*'|[^\s"'\\,;{}<>]+)/gi;

/** In prose, up to three words may stand between the name of a code or token and what it is. */
const WORDS_BETWEEN = String.raw`(?:[^\p{L}\p{N}]{1,3}\p{L}{1,20}){0,3}[^\p{L}\p{N}]{1,4}`;
const CODE_IN_PROSE = lazyPattern(
	String.raw`(\b(?:(?:security|verification)[\s_-]?(?:code|number|value)|cv[cvn]2?|csc|cid)${WORDS_BETWEEN})(\d{3,4})(?![\p{L}\p{N}])`,
	'giu',
);
const TOKEN_IN_PROSE = lazyPattern(
	String.raw`(\btoken(?:_?id)?${WORDS_BETWEEN})(?=[\w.~+/=-]{0,200}\d)(?!\d{4}-|[\da-f]{8}-[\da-f]{4}-)([\w.~+/=-]{12,})`,
	'giu',
);

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/**
 * Text of which nothing is known, for an error, a log line, a hint or a label: of the service, of a failed request, or
 * a value that a user gave. Without the key, what looks like a card number, and what is named a token or a code.
 */
export function redactText(text: string, apiKey: string): string {
	const named = new Set<string>();
	const hide = (_found: string, name: string, value: string): string => {
		named.add(value.replace(/[\\"']/g, ''));
		return name + REDACTED;
	};
	const unnamed = keyRemover(apiKey)(text)
		.replace(NAMED_SECRET, (found: string, name: string, value: string) =>
			// A word that merely follows is no secret unless it has a digit.
			/[:=]/.test(name) || /\d/.test(value) ? hide(found, name, value) : found,
		)
		.replace(CODE_IN_PROSE(), hide)
		.replace(TOKEN_IN_PROSE(), hide);
	// What was named once may stand elsewhere without its name.
	const words = [...named].filter(({ length }) => length >= LEAST_TO_REPLACE);
	return (
		withoutSecrets(unnamed, { numbers: [], words })
			.split(UUID)
			// Every second part is a UUID, which is left alone though it may hold many digits.
			.map((part, index) => (index % 2 === 1 ? part : withoutSpans(part, guessNumbers(part))))
			.join('')
	);
}
