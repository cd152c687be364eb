import { LEAST_TO_REPLACE, REDACTED } from './secretTexts';

/** Takes the credential's key out of texts: wherever it stands, in any of its spellings. */
export interface KeyRemover {
	(text: string): string;
	/** Tells texts in which the key may stand from those in which it can't, much sooner than taking it out does. */
	readonly mayStandIn: (text: string) => boolean;
	/** Whether a number, written out, could hold it. */
	readonly mayStandInNumbers: boolean;
}

/** The remover of this key. */
export function keyRemover(apiKey: string): KeyRemover {
	if (lastRemover?.apiKey !== apiKey) lastRemover = { apiKey, remove: newKeyRemover(apiKey) };
	return lastRemover.remove;
}

/** One record after another has the same key. */
let lastRemover: { readonly apiKey: string; readonly remove: KeyRemover } | undefined;

function newKeyRemover(apiKey: string): KeyRemover {
	const key = apiKey.trim();
	if (key.length < LEAST_TO_REPLACE) {
		const nowhere = { mayStandIn: () => false, mayStandInNumbers: false };
		return Object.assign((text: string) => text, nowhere);
	}
	const inCode = inBase64(key);
	const bySign = escapedBySign(key);
	// Half of a character outside of Unicode's first plane can't be encoded.
	const encoded = encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'));
	const isCovered = new RegExp(bySign, 'i').test(encoded);
	const spellings = isCovered ? bySign : `${bySign}|${escaped(encoded)}`;
	const everySpelling = new RegExp(spellings, 'gi');
	const anySpelling = new RegExp(spellings, 'i');
	// Apart from the other one: that both begin with signs of their own makes them twice as fast.
	const anyCode = new RegExp(inCode.map(escaped).join('|'));
	// No spelling is shorter than the key itself.
	const mayStandIn = (text: string): boolean =>
		text.length >= key.length && (anySpelling.test(text) || anyCode.test(text));
	const remove = (text: string): string =>
		mayStandIn(text)
			? inCode
					.reduce((rest, code) => rest.replaceAll(code, REDACTED), text)
					.replace(everySpelling, REDACTED)
			: text;
	const mayStandInNumbers = [key, ...inCode].some((text) => IN_NUMBERS.test(text));
	return Object.assign(remove, { mayStandIn, mayStandInNumbers });
}

/** -1.5e+300 and Infinity. */
const IN_NUMBERS = /^[\d.e+\-infty]+$/i;

const escaped = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');

/**
 * A pattern for it as an address, a web page, JSON, a program or a mail has it, in which any sign may be escaped, each
 * library its own, and what was escaped may have been escaped again.
 */
function escapedBySign(key: string): string {
	const signs = Array.from(key, (sign) => {
		if (/[\da-z]/i.test(sign)) return sign;
		const code = sign.codePointAt(0) ?? 0;
		const named = HTML_NAMES[sign] ?? '#';
		const hex = code.toString(16).padStart(2, '0');
		const inPage = `&(?:amp;){0,3}(?:#0*${code}|#x0*${hex}|${named});`;
		return `(?:\\\\{0,7}${escaped(sign)}|${inPage}|%(?:25){0,3}${hex}|\\\\{1,7}u00${hex}|=${hex})`;
	});
	return signs.join('');
}

const HTML_NAMES: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
	'+': 'plus',
	'/': 'sol',
	'=': 'equals',
	_: 'lowbar',
	'-': 'hyphen',
	'.': 'period',
	':': 'colon',
};

/**
 * The middle of a text as Base64 has it, in its two alphabets. Three characters become four, so it depends on how many
 * stand before it: none, one, or two more than a multiple of three. What its neighbours have a part in is left out.
 */
function inBase64(text: string): string[] {
	const codes = [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
		const code = bytes.toString('base64').replace(/=+$/, '');
		const isPartOfNext = bytes.length % 3 !== 0;
		return code.slice([0, 2, 3][before], isPartOfNext ? -1 : undefined);
	});
	const inAddresses = codes.map((code) => code.replace(/\+/g, '-').replace(/\//g, '_'));
	return [...new Set([...codes, ...inAddresses])];
}
