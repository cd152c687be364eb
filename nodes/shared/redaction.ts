import { guessNumbers } from './cardNumbers';
import {
	LEAST_TO_REPLACE,
	REDACTED,
	keyRemover,
	spellingsOf,
	withoutSecrets,
	withoutSpans,
} from './secretTexts';

export { REDACTED };

/**
 * "token": "…", token=…, security code 917; a word that merely follows is no secret unless it has a digit. The white
 * space on either side of the sign between name and value can be read in one way only: two ways that may share it
 * would try every division of 40,000 spaces.
 */
const NAMED_SECRET =
	/((?:security[\s_-]?code|cv[cv]2?|token(?:_?id)?)\b[\\"']*\s*(?:(?:[:=]|\bis\b)\s*)?)(\\?"[^"]*"|'[^']*'|[^\s"'\\,;{}<>]+)/gi;

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;
/** The digits of what may be a card number, in groups of any size. */
const NUMBER_IN_GROUPS = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/**
 * Text of which nothing is known, for an error, a log line, a hint or a label: of the service, of a failed request, or
 * a value that a user gave. Without the key, what looks like a card number, and what is named a token or a code.
 */
export function redactText(text: string, apiKey: string): string {
	const named = new Set<string>();
	const unnamed = keyRemover(apiKey)(text).replace(
		NAMED_SECRET,
		(found, name: string, value: string) => {
			if (!/[:=]/.test(name) && !/\d/.test(value)) return found;
			named.add(value.replace(/[\\"']/g, ''));
			return name + REDACTED;
		},
	);
	// What was named once may stand elsewhere without its name.
	const words = [...named].filter(({ length }) => length >= LEAST_TO_REPLACE).flatMap(spellingsOf);
	return (
		withoutSecrets(unnamed, { numbers: [], words })
			.split(UUID)
			// Every second part is a UUID, which is left alone though it may hold many digits.
			.map((part, index) => (index % 2 === 1 ? part : withoutCardNumbers(part)))
			.join('')
	);
}

function withoutCardNumbers(text: string): string {
	return withoutSpans(text, guessNumbers(text)).replace(NUMBER_IN_GROUPS, (found) =>
		guessNumbers(found.replace(/\D/g, '')).length > 0 ? REDACTED : found,
	);
}
