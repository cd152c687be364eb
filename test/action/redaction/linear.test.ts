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
import { checkMoney } from '../../../nodes/shared/input/moneyCheck';
import { redactRecords } from '../../../nodes/shared/redaction/redactRecord';
import { redactText } from '../../../nodes/shared/redaction/redactText';

/**
 * No text takes more steps than its length asks for. What takes a second where it is linear takes hours where every
 * division of a text is tried: such a run is ended, on however slow a machine long after a linear one.
 */
const LENGTH = 200_000;
const LIMIT_MS = 60_000;

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

/** Made to keep whoever looks for a pattern in them busy: these over and over, and one of them after a beginning. */
const PARTS =
	`1| |0|1 |4929-|a|.|%31|%2531|&#4|\\|\\"|/|\n|token |token=a1b2c3d4 |"token":"|token is '|cvv a b c 917x|a1-`
		.concat('|\u{1d7d9}|\u0315\u0316|4929 4205 7359 570 |key-of|2025-01-15T12:00:00 |cvv |cvv 917-')
		.concat('|AB12 |AB12 1234 |1 2-|1-1@|a.b.|+1|4929-4205-7359-5709, |no_|card ')
		.split('|');
const BEGINNINGS = ['', 'token', 'cvv:', '4', '1.', 'https://a', '2031-01-01T', 'key'];
const VALUES = BEGINNINGS.flatMap((beginning) =>
	(beginning === '' ? PARTS : PARTS.slice(0, 3)).map((part) => ({
		what: `${beginning} and many ${JSON.stringify(part)}`,
		value: `${beginning}${part.repeat(LENGTH / part.length)}x`,
	})),
);

it.each(VALUES)(
	'$what takes steps in step with its length, as a free text, a message and a value',
	({ value }) => {
		expectLinear(() => cleanNote(value, 'tok-planted-58ab3e0d2f'));
		expectLinear(() => redactText(value, apiKey));
		expectLinear(() => {
			answered(() => checkText(value, 'Title', 50));
			answered(() => checkCurrency(value, 'Currency'));
			answered(() => checkId(value, 'ID'));
			answered(() => checkUuid(value, 'ID'));
			answered(() => checkUrl(value, 'URL'));
			answered(() => checkFutureDate(value, 'Date', 'UTC'));
			answered(() => checkMoney(value, 'Amount', { currency: 'USD' }));
		});
	},
);

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
