import { createContext, runInContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';

import {
	idempotencyKeyField,
	isHalf,
} from '../../../nodes/PaymentCollection/writes/idempotencyKey';
import { InputError } from '../../../nodes/shared/errors/reportedError';
import { checkFutureDate } from '../../../nodes/shared/input/dates';
import {
	checkCurrency,
	checkFilter,
	checkId,
	checkInteger,
	checkText,
	checkUrl,
	checkUuid,
} from '../../../nodes/shared/input/inputChecks';
import { checkMoney } from '../../../nodes/shared/input/moneyCheck';
import { withoutSpareZeros } from '../../../nodes/shared/money';
import { redactRecords } from '../../../nodes/shared/redaction/redactRecord';
import { redactText } from '../../../nodes/shared/redaction/redactText';
import { parseInstant } from '../../../nodes/shared/timestamps';
import { trimmed } from '../../../nodes/shared/values';

/**
 * The work for a value or a text of the service grows with its length, and no faster. Measured in time of this process's
 * own CPU, which a busy machine does not lengthen: four times the text may take ten times as long, not sixteen.
 */
const [SHORT, LONG] = [25_000, 100_000];
const MOST_GROWTH = 10;
/** A shorter time says nothing of its growth; the square of the length would take seconds. */
const FREE_MS = 50;
const LIMIT_MS = 120_000;

/** Ends a measurement that would take hours. */
const withinLimit = (run: () => void): void =>
	void runInContext('run()', createContext({ run }), { timeout: LIMIT_MS });

/** Throws an error other than a refusal: a long text can also exhaust the stack. */
function answered(check: () => unknown): void {
	try {
		check();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
	}
}

function isInStep<Made>(make: (length: number) => Made, work: (made: Made) => void): boolean {
	const ms = (length: number): number => {
		const made = make(length);
		const began = process.cpuUsage();
		work(made);
		return process.cpuUsage(began).user / 1_000;
	};
	// Other work on the machine can disturb one measurement.
	return [1, 2, 3].some(() => {
		const long = ms(LONG);
		return long <= FREE_MS || long / ms(SHORT) < MOST_GROWTH;
	});
}

/** A repeated part after a beginning. */
type Repeated = readonly [beginning: string, part: string];

function expectTextsInStep(work: (text: string) => void, texts: readonly Repeated[]): void {
	const isTextInStep = ([beginning, part]: Repeated): boolean =>
		isInStep((length) => `${beginning}${part.repeat(length / part.length)}x`, work);
	withinLimit(() => expect(texts.filter((text) => !isTextInStep(text))).toEqual([]));
}

const PARTS =
	'{{|{{ a }}|k{{ a }}|k {{ a }} k|{{ "}} {{" }}|\\{{|k|\u0315\u0316| |\u200b |0|0.|-0|1:|/'
		.concat('|https://a|aé\t')
		.split('|');
const BEGINNINGS = ['', '=', '1.', 'https://a', '2031-01-01T', '+'];
const KEYS = ['k'.repeat(246), 'kk '.repeat(80), ''];

const CHECKS: Record<string, (text: string) => void> = {
	'the expression of a key': (text) => KEYS.forEach((key) => isHalf(text, key)),
	'a key': (text) => idempotencyKeyField.check(text, 'Key', { body: {}, timeZone: 'UTC' }),
	'a text': (text) => checkText(text, 'Title', 50),
	'a filter': (text) => checkFilter(text, 'Filter'),
	'an ID': (text) => [checkId, checkUuid].forEach((check) => answered(() => check(text, 'ID'))),
	'a number': (text) => checkInteger(text, 'Number', 0, 1),
	'an amount': (text) => checkMoney(text, 'Amount', { currency: 'USD' }),
	'a price': (text) => withoutSpareZeros(text),
	'a currency': (text) => checkCurrency(text, 'Currency'),
	'a date': (text) => checkFutureDate(text, 'Date', 'UTC'),
	'a time': (text) => parseInstant(text),
	'a URL': (text) => checkUrl(text, 'URL'),
	'a text with spaces': (text) => trimmed(text),
};

const apiKey = 'key-of/a-test';
const cleanNote = (note: string, token = 'tok-planted-58ab3e0d2f'): unknown => {
	const card = { card_number: '4929420573595709' };
	const record: IDataObject = { note, [note]: 1, source: { token, card_data: card } };
	return redactRecords([record], { apiKey })[0]?.['note'];
};

/** Texts that make a careless pattern slow. */
const PARTS_OF_TEXTS =
	`1| |0|1 |4929-|a|.|%31|%2531|&#4|\\|\\"|/|\n|token |token=a1b2c3d4 |"token":"|token is '|cvv a b c 917x|a1-`
		.concat('|\u{1d7d9}|\u0315\u0316|4929 4205 7359 570 |key-of|2025-01-15T12:00:00 |cvv |cvv 917-')
		.concat('|AB12 |AB12 1234 |1 2-|1-1@|a.b.|+1|4929-4205-7359-5709, |no_|card ')
		.split('|');
const TEXTS = [
	...PARTS_OF_TEXTS.map((part): Repeated => ['', part]),
	...['token', 'cvv:', '4', '1.', 'https://a', '2031-01-01T', 'key'].flatMap((beginning) =>
		PARTS_OF_TEXTS.slice(0, 3).map((part): Repeated => [beginning, part]),
	),
];

it.each(Object.entries(CHECKS))('%s of any length takes time in step with it', (_what, check) => {
	const values = PARTS.flatMap((part) => BEGINNINGS.map((one): Repeated => [one, part]));
	expectTextsInStep((value) => answered(() => check(value)), [...values, ...TEXTS]);
});

it.each([
	['a free text', (text: string) => cleanNote(text)],
	['a message', (text: string) => redactText(text, apiKey)],
])('the redaction of %s takes time in step with its length', (_what, redact) => {
	expectTextsInStep(redact, TEXTS);
});

it.each([
	['a'.repeat(50_000) + 'b', 'a'],
	['b' + 'a'.repeat(50_000), 'a'],
	['ab'.repeat(25_000) + 'c', 'ab'],
])('a token with repeated parts takes time in step with its length', (token, part) => {
	expectTextsInStep((text) => cleanNote(text, token), [['', part]]);
});

it('a record with thousands of tokens takes time in step with their number', () => {
	const recordWith = (length: number) => ({
		custom_fields: Array.from({ length: length / 10 }, (_, index) => ({
			token: `token-number-${index}`,
			name: `see token-number-${index}`,
		})),
	});
	const work = (record: IDataObject): unknown => redactRecords([record], { apiKey });
	withinLimit(() => expect(isInStep(recordWith, work)).toBe(true));
	const record = recordWith(LONG);
	const custom_fields = record.custom_fields.map(() => ({ name: '[redacted]' }));
	expect(redactRecords([record], { apiKey })).toEqual([{ custom_fields }]);
});
