import type { IDataObject } from 'n8n-workflow';

import { keyRemover } from '../../../nodes/shared/redaction/keyRemover';
import { isClean } from '../../../nodes/shared/redaction/cleanRecord';
import { redactRecord, redactRecords } from '../../../nodes/shared/redaction/redactRecord';
import fc from '../../support/jest/property';

const KEYS = ['key-of-this-test', '12345678', '-Infinity', 'first_name', 'a/b+c=d&"x\\y', 'short'];

/** As the key may stand in what a service says of itself. */
const spelled = (key: string): string[] => [
	key,
	key.toUpperCase(),
	encodeURIComponent(key),
	JSON.stringify(key),
	key.replace(/[^\w-]/g, (sign) => `&#${sign.charCodeAt(0)};`),
	Buffer.from(key).toString('base64'),
	Buffer.from(`a:${key}`).toString('base64url'),
];

const NAMES = ['id', 'created', 'first_name', 'province', 'note', 'email', 'source', 'metadata'];
const ODD_NAMES = ['token', 'card_number', 'CVV', 'number', '__proto__', '7', ...KEYS];
const INNER = { token: 'tok-planted-58ab3e0d2f', card_number: '4929 4205 7359 5709' };

const valuesWith = (key: string): fc.Arbitrary<unknown> =>
	fc.oneof(
		{
			weight: 12,
			arbitrary: fc.constantFrom('', 'Ada', 'É', '[1]', '9371e33b-56af', 5, null, true),
		},
		{ weight: 1, arbitrary: fc.string() },
		{ weight: 1, arbitrary: fc.double({ noNaN: true }) },
		{ weight: 1, arbitrary: fc.constantFrom(12_345_678, -12_345_678.5, Number.POSITIVE_INFINITY) },
		{ weight: 1, arbitrary: fc.constantFrom(...spelled(key).map((text) => `it is ${text}`)) },
		{
			weight: 1,
			arbitrary: fc.constantFrom(JSON.stringify(INNER), ` \n[${JSON.stringify(INNER)}]`),
		},
		{ weight: 1, arbitrary: fc.constantFrom<unknown>(INNER, [INNER.card_number], {}) },
		{ weight: 1, arbitrary: fc.constantFrom(...Object.values(INNER)) },
	);

/** An answer: rows with the same fields, of which most are as they should be. */
const answers = fc
	.record({
		apiKey: fc.constantFrom(...KEYS),
		names: fc.uniqueArray(
			fc.oneof(
				{ weight: 9, arbitrary: fc.constantFrom(...NAMES) },
				{ weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES) },
			),
			{ minLength: 1, maxLength: 8 },
		),
		includeSensitiveData: fc.boolean(),
	})
	.chain(({ names, ...options }) =>
		fc
			.array(fc.tuple(...names.map(() => valuesWith(options.apiKey))), {
				minLength: 1,
				maxLength: 5,
			})
			.map((rows) => ({ options, records: rows.map((values) => recordOf(names, values)) })),
	);

function recordOf(names: readonly string[], values: readonly unknown[]): IDataObject {
	const record = {};
	names.forEach((name, index) =>
		Object.defineProperty(record, name, { value: values[index], enumerable: true, writable: true }),
	);
	return record;
}

describe('the records of one answer', () => {
	it('leave as each of them would by itself, and those without secrets as they came', () => {
		fc.assert(
			fc.property(answers, ({ records, options }) => {
				const alone = records.map((record) => redactRecord(record, options));
				const together = redactRecords(records, options);
				expect(together).toEqual(alone);
				together.forEach((record, index) => {
					expect(record === records[index]).toBe(alone[index] === records[index]);
				});
			}),
			{ numRuns: 5_000 },
		);
	});

	it('need no closer look where they are flat and hold nothing odd', () => {
		const rows = [
			{ id: '9371e33b-56af-4463-a952-fa67b19acf8c', first_name: 'Ada', note: null, province: 5 },
			{ id: 'd7ff0230-4577-4225-b7b7-d59473c2c8e4', first_name: 'Élodie', note: '', province: 6 },
		];
		const areClean = (apiKey: string) => rows.map((row) => isClean(row, keyRemover(apiKey)));
		expect(areClean('key-of-this-test')).toEqual([true, true]);
		expect(areClean('b7b7-d59473c2c8e4')).toEqual([true, false]);
	});
});
