import { createContext, runInContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';

import {
	checkCurrency,
	checkId,
	checkText,
	checkUrl,
	checkUuid,
} from '../../../nodes/shared/input/inputChecks';
import { checkFutureDate } from '../../../nodes/shared/input/dates';
import { InputError } from '../../../nodes/shared/errors/reportedError';
import { moneyToSend } from '../../../nodes/shared/money';
import { redactRecords } from '../../../nodes/shared/redaction/redactRecord';
import { redactText } from '../../../nodes/shared/redaction/redactText';
import { LONG_VALUES } from '../../support/longValues';

/**
 * No text takes more steps than its length asks for. What takes a second where it is linear takes hours where every
 * division of a text is tried: such a run is ended, on however slow a machine long after a linear one.
 */
const LENGTH = 200_000;
const LIMIT_MS = 120_000;

function expectLinear(run: () => unknown): void {
	runInContext('run()', createContext({ run }), { timeout: LIMIT_MS });
}

/** Taken or refused, but nothing else. */
function answered(check: () => unknown): void {
	try {
		check();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
	}
}

const apiKey = 'key-of/a-test';
const cleanNote = (note: string, token: string): unknown => {
	const card = { card_number: '4929420573595709' };
	const record: IDataObject = { note, [note]: 1, source: { token, card_data: card } };
	return redactRecords([record], { apiKey })[0]?.['note'];
};

const MORE: ReadonlyArray<[what: string, value: string]> = [
	['accents out of order', 'a' + '\u0315\u0316'.repeat(LENGTH / 2)],
	['accents out of order, escaped', '\\u0315\\u0316'.repeat(LENGTH / 12)],
	['beginnings of a number', '4929 4205 7359 570 '.repeat(LENGTH / 19)],
	['a number a digit short', `4${' '.repeat(LENGTH)}9${'-'.repeat(LENGTH)}`],
	['beginnings of the key', 'key-of'.repeat(LENGTH / 6)],
	['escapes of the key', 'key' + '\\'.repeat(LENGTH)],
];

describe.each([...LONG_VALUES(LENGTH), ...MORE])('%s', (_what, value) => {
	it('take steps in step with their length, as a free text, a message and a value', () => {
		expectLinear(() => cleanNote(value, 'tok-planted-58ab3e0d2f'));
		expectLinear(() => redactText(value, apiKey));
		expectLinear(() => {
			answered(() => checkText(value, 'Title', 50));
			answered(() => checkCurrency(value, 'Currency'));
			answered(() => checkId(value, 'ID'));
			answered(() => checkUuid(value, 'ID'));
			answered(() => checkUrl(value, 'URL'));
			answered(() => checkFutureDate(value, 'Date', 'UTC'));
			answered(() => moneyToSend(value, 'Amount', { currency: 'USD' }));
		});
	});
});

it.each([
	['a'.repeat(50_000) + 'b', 'a'.repeat(LENGTH)],
	['b' + 'a'.repeat(50_000), 'a'.repeat(LENGTH)],
	['ab'.repeat(25_000) + 'c', 'ab'.repeat(LENGTH / 2)],
])('so does a token that was made to repeat itself', (token, text) => {
	expectLinear(() => cleanNote(text, token));
});

it('so does a record with thousands of tokens, of whose texts nothing is left', () => {
	const fields = Array.from({ length: 20_000 }, (_, index) => ({
		token: `token-number-${index}`,
		name: `see token-number-${index}`,
	}));
	expectLinear(() => {
		const [record] = redactRecords([{ custom_fields: fields }], { apiKey });
		expect(record?.['custom_fields']).toEqual(fields.map(() => ({ name: '[redacted]' })));
	});
});
