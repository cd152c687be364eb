import type { IDataObject } from 'n8n-workflow';

import { guessNumbers } from '../../../nodes/shared/redaction/cardNumbers';
import {
	checkCurrency,
	checkId,
	checkText,
	checkUrl,
	checkUuid,
} from '../../../nodes/shared/input/inputChecks';
import { checkFutureDate } from '../../../nodes/shared/input/dates';
import { InputError } from '../../../nodes/shared/errors/inputError';
import { moneyToSend } from '../../../nodes/shared/money';
import { redactRecord } from '../../../nodes/shared/redaction/redactRecord';
import { redactText } from '../../../nodes/shared/redaction/redactText';
import { findWord } from '../../../nodes/shared/redaction/secretWords';
import { LONG_VALUES } from '../../support/longValues';
import { plainCharge } from '../../support/secrets/spelledSecrets';

/**
 * No text takes more steps than its length asks for. Steps of our own code are the characters that it reads one by
 * one; steps inside of a regular expression can't be counted, so there the time for 16 times the text is compared:
 * 16 times as much where it is linear, 256 times where every division of the text is tried.
 */

function charactersRead(run: () => unknown): number {
	const original = Object.getOwnPropertyDescriptor(String.prototype, 'charCodeAt') ?? {};
	const read = original.value as (index: number) => number;
	let count = 0;
	const counting = function (this: string, index: number): number {
		count += 1;
		return read.call(this, index);
	};
	Object.defineProperty(String.prototype, 'charCodeAt', { ...original, value: counting });
	try {
		run();
		return count;
	} finally {
		Object.defineProperty(String.prototype, 'charCodeAt', original);
	}
}

/** Processor time of the fastest of some runs, in ms: what else the machine does is no part of it. */
function cost(run: () => unknown): number {
	const runs = Array.from({ length: 2 }, () => {
		const before = process.cpuUsage();
		run();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return Math.min(...runs);
}

const SHORT = 4_000;
const TIMES = 16;

const expectLinear = (runFor: (length: number) => unknown): void => {
	const short = cost(() => runFor(SHORT));
	const long = cost(() => runFor(SHORT * TIMES));
	// Of what takes less than a few ms for the short text, most is measuring.
	expect(long).toBeLessThan(Math.max(short, 5) * TIMES * 4);
};

/** Taken or refused, but nothing else. */
function answered(check: () => unknown): void {
	try {
		check();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
	}
}

const rowWith = (text: string): IDataObject => ({
	...plainCharge(1),
	note: text,
	[text]: text,
	source: { token: 'tok-planted-58ab3e0d2f', card_data: { card_number: '4929420573595709' } },
});

const valueOf = (what: string, length: number): string =>
	LONG_VALUES(length).find(([name]) => name === what)?.[1] ?? '';

const LONG = LONG_VALUES(SHORT).map(([what]) => what);

describe.each(LONG)('%s', (what) => {
	it('take steps in step with their length, as a free text, a message and a value', () => {
		expectLinear((length) =>
			redactRecord(rowWith(valueOf(what, length)), { apiKey: 'key-of-a-test' }),
		);
		expectLinear((length) => redactText(valueOf(what, length), 'key-of-a-test'));
		expectLinear((length) => {
			const value = valueOf(what, length);
			answered(() => checkText(value, 'Title', 50));
			answered(() => checkCurrency(value, 'Currency'));
			answered(() => checkId(value, 'ID'));
			answered(() => checkUuid(value, 'ID'));
			answered(() => checkUrl(value, 'URL'));
			answered(() => checkFutureDate(value, 'Date', 'UTC'));
			answered(() => moneyToSend(value, 'Amount', { currency: 'USD' }));
		});
	});

	it('are read no more than a few times by what looks for card numbers', () => {
		for (const length of [SHORT, SHORT * TIMES]) {
			const text = valueOf(what, length);
			expect(charactersRead(() => guessNumbers(text))).toBeLessThan(100 * length);
			const steps = charactersRead(() => redactRecord(rowWith(text), { apiKey: 'key-of-a-test' }));
			expect(steps).toBeLessThan(10 * length);
		}
	});
});

describe('a token that was made to repeat itself', () => {
	it.each([
		['a'.repeat(5_000) + 'b', 'a'.repeat(100_000)],
		['b' + 'a'.repeat(5_000), 'a'.repeat(100_000)],
		['a'.repeat(2_500) + 'b' + 'a'.repeat(2_500), 'a'.repeat(100_000)],
		['ab'.repeat(2_500) + 'c', 'ab'.repeat(50_000)],
	])('is looked for in steps of both lengths', (token, text) => {
		expect(charactersRead(() => findWord(text, token))).toBeLessThan(
			5 * (token.length + text.length),
		);
	});

	it('is found where it stands, also over itself', () => {
		const word = 'abcabcabcabc';
		expect(findWord(`${word} x${word} ${word}`, word)).toEqual([
			{ start: 0, end: 12 },
			{ start: 27, end: 39 },
		]);
		expect(findWord('aa-aa-aa-aa-aa-aa', 'aa-aa-aa-aa-aa')).toEqual([
			{ start: 0, end: 14 },
			{ start: 3, end: 17 },
		]);
	});
});

it('a record with thousands of tokens takes steps in step with its size', () => {
	const recordOf = (tokens: number): IDataObject => ({
		note: 'n'.repeat(tokens * 20),
		custom_fields: Array.from({ length: tokens }, (_, index) => ({
			token: `token-number-${index}`,
			name: `see token-number-${index}`,
		})),
	});
	expectLinear((length) => redactRecord(recordOf(length / 20), { apiKey: 'key-of-a-test' }));
	const { custom_fields: fields, note } = redactRecord(recordOf(1_000), {
		apiKey: 'key-of-a-test',
	});
	expect((fields as IDataObject[]).every(({ name }) => name === '[redacted]')).toBe(true);
	expect(note).toBe('[redacted]');
});

it('a message with thousands of named tokens takes steps in step with its length', () => {
	expectLinear((length) => {
		const names = Array.from({ length: length / 20 }, (_, index) => `token=abcdefghij${index}`);
		expect(redactText(names.join(' '), '')).not.toContain('abcdefghij');
	});
});

it('texts that are JSON within each other take steps in step with the length of the outermost', () => {
	const inner = JSON.stringify({ source: { token: 'tok-planted-58ab3e0d2f' } });
	expectLinear((length) => {
		let note = inner;
		while (note.length < length * 2) note = JSON.stringify({ payload: note });
		expect(redactRecord({ note }, { apiKey: 'key-of-a-test' })['note']).not.toContain('58ab3e0d2f');
	});
	expectLinear((length) =>
		redactRecord({ note: `["${'"token\\'.repeat(length)}"]` }, { apiKey: 'key-of-a-test' }),
	);
});
