/**
 * A text as whoever decodes it reads it: escapes of an address, a web page, JSON, a program or a mail taken for the
 * characters that they stand for, also where they were escaped again. Each reading takes as many steps as the text is
 * long, and there is a fixed number of them.
 */

/** A text, and where each of its characters (UTF-16) stands in the text that it was decoded from. */
export interface Reading {
	readonly text: string;
	/** Missing for the text as it is. */
	readonly starts?: Int32Array;
	readonly ends?: Int32Array;
}

export const startOf = ({ starts }: Reading, index: number): number => starts?.[index] ?? index;
export const endOf = ({ ends }: Reading, index: number): number => ends?.[index] ?? index + 1;

/** Of an address (UTF-8), JSON and programs, and a web page. */
const ESCAPE =
	/%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3})|\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[bfnrt/"\\])|&#(?:\d{1,7}|x[\da-f]{1,6});|&[a-z]{2,8};/gi;
/** Of a mail: read by itself, since `card=4929…` is by far more common. */
const QUOTED_PRINTABLE = /=[2-7][\da-f]|=\r?\n/gi;
const DIGIT_IN_MAIL = /=3\d/g;
/** Whoever escapes one digit of a number escapes all of them. */
const LEAST_DIGITS_IN_MAIL = 12;
/** What an escape or a tag begins with. */
const MAY_BE_ENCODED = /[%\\&=<]/;
const TAG = /<[^<>]{1,200}>/g;
/** How often something that was escaped may have been escaped again. */
const MAX_DECODINGS = 3;
const LAST_CODE_POINT = 0x10_ff_ff;

/** The text as it is, and as each decoding of it reads. */
export function readingsOf(text: string): Reading[] {
	const asItIs = { text };
	if (!MAY_BE_ENCODED.test(text)) return [asItIs];
	return [asItIs, ...decodings(asItIs), ...mailReadingsOf(text)].flatMap(withoutMarkup);
}

/** As it reads once it is decoded. Where there is nothing to decode, as it is. */
export function decodedReadingsOf(text: string): Reading[] {
	const asItIs = { text };
	if (!MAY_BE_ENCODED.test(text)) return [asItIs];
	const found = decodings(asItIs);
	return [...(found.length === 0 ? [asItIs] : found), ...mailReadingsOf(text)].flatMap(
		withoutMarkup,
	);
}

/** A tag may have digits of its own. */
function withoutMarkup(reading: Reading): Reading[] {
	const plain = reading.text.includes('>') ? decoded(reading, TAG) : undefined;
	return plain === undefined ? [reading] : [reading, plain];
}

function mailReadingsOf(text: string): Reading[] {
	const digits = text.match(DIGIT_IN_MAIL) ?? [];
	if (digits.length < LEAST_DIGITS_IN_MAIL) return [];
	const mail = decoded({ text }, QUOTED_PRINTABLE);
	return mail === undefined ? [] : [mail, ...decodings(mail)];
}

function decodings(reading: Reading): Reading[] {
	const found: Reading[] = [];
	let last: Reading | undefined = reading;
	while (found.length < MAX_DECODINGS) {
		last = decoded(last, ESCAPE);
		if (last === undefined) break;
		found.push(last);
	}
	return found;
}

/** Undefined where there is nothing to decode. */
function decoded(reading: Reading, escapes: RegExp): Reading | undefined {
	const { text } = reading;
	if (!MAY_BE_ENCODED.test(text)) return undefined;
	const parts: string[] = [];
	const starts = new Int32Array(text.length);
	const ends = new Int32Array(text.length);
	let length = 0;
	let done = 0;
	const place = (start: number, end: number): void => {
		starts[length] = startOf(reading, start);
		ends[length] = endOf(reading, end);
		length += 1;
	};
	const copyUpTo = (end: number): void => {
		parts.push(text.slice(done, end));
		for (; done < end; done += 1) place(done, done);
	};
	// Of a text of escapes, the same few signs again and again.
	const signs = new Map<string, string>();
	for (const { 0: sign, index } of text.matchAll(escapes)) {
		copyUpTo(index);
		const character = signs.get(sign) ?? characterOf(sign);
		signs.set(sign, character);
		parts.push(character);
		done = index + sign.length;
		if (character.length > 0) place(index, done - 1);
		if (character.length > 1) place(index, done - 1);
	}
	if (done === 0) return undefined;
	copyUpTo(text.length);
	return { text: parts.join(''), starts, ends };
}

/** The character that an escape stands for; a space for one that stands for none, or by a name; nothing for a tag. */
function characterOf(sign: string): string {
	if (sign.startsWith('%')) {
		try {
			return decodeURIComponent(sign);
		} catch {
			return ' ';
		}
	}
	if (sign === '&amp;') return '&';
	if (/^\\[/"\\]$/.test(sign)) return sign.slice(1);
	const [, hex, decimal] = /^(?:\\[ux]\{?|&#x|=)([\da-f]+)[};]?$|^&#(\d+);$/i.exec(sign) ?? [];
	if (hex === undefined && decimal === undefined) return /^[&\\]/.test(sign) ? ' ' : '';
	const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
	return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ' ';
}
