import type { IDataObject } from 'n8n-workflow';

import { redactText } from '../../../nodes/shared/redaction/redactText';
import { toChargeItems } from '../../../nodes/shared/records/recordItem';
import {
	cardNumbers,
	leaksOf,
	plainCharge,
	plantedCharges,
	setPlace,
	spellings,
} from '../../support/secrets/spelledSecrets';
import fc from '../../support/jest/property';

const OPTIONS = { apiKey: 'key-of-this-test', includeSensitiveData: false };
const whole = (row: IDataObject): IDataObject =>
	toChargeItems([row], { ...OPTIONS, simplify: false })[0] ?? {};
const simple = (row: IDataObject): IDataObject =>
	toChargeItems([row], { ...OPTIONS, simplify: true })[0] ?? {};

describe('a charge with secrets', () => {
	it('leaves without them, whatever the place and the spelling, whole and simplified', () => {
		fc.assert(
			fc.property(plantedCharges, (charge) => {
				expect(leaksOf(whole(charge.row), charge)).toEqual([]);
				expect(leaksOf(simple(charge.row), charge)).toEqual([]);
			}),
			{ numRuns: 3_000 },
		);
	});

	it('keeps its identifiers, statuses, currencies, amounts and dates', () => {
		fc.assert(
			fc.property(plantedCharges, ({ row }) => {
				const free = { user_name: '', note: '', payment_method: '' };
				expect({ ...simple(row), ...free }).toEqual({ ...simple(plainRow(row)), ...free });
				const { items, refunds, events } = whole(row) as Record<string, IDataObject[]>;
				expect(items?.[0]).toMatchObject({ amount: '12.50', total_amount: '25.00', quantity: 2 });
				expect(refunds?.[0]).toMatchObject({ created: '2025-01-15T12:30:00.000Z', amount: '5.00' });
				expect(events).toMatchObject({ created: '2025-01-15T12:00:00.000Z' });
			}),
			{ numRuns: 500 },
		);
	});
});

/** The same without the fields that hold secrets. */
function plainRow(row: IDataObject): IDataObject {
	const source = { ...(row['source'] as IDataObject) };
	delete source['token'];
	delete source['card_data'];
	return { ...row, source };
}

const removed = (row: IDataObject): string => JSON.stringify(plainRow(row));

describe('a charge without secrets', () => {
	it('leaves as it came, byte for byte', () => {
		const values = fc.dictionary(
			fc.string().filter((name) => !/token|card|security|cv/i.test(name)),
			fc.jsonValue({ maxDepth: 4 }),
		);
		const texts = fc.oneof(
			fc.string(),
			fc.string({ unit: 'binary' }),
			fc.webUrl(),
			fc.emailAddress(),
		);
		const isNamed = (text: string) =>
			/"(?:token|card_?data|card_?number|cv[cv]2?|security_?code)":/i.test(text);
		fc.assert(
			fc.property(fc.nat(1_000), values, fc.json(), texts, (number, extra, inJson, text) => {
				const row: IDataObject = { ...extra, ...plainCharge(number), note: inJson };
				setPlace(row, 'metadata.text', text);
				setPlace(row, 'user.first_name', text);
				fc.pre(!isNamed(JSON.stringify(row)) && !isNamed(inJson));
				expect(JSON.stringify(whole(row))).toBe(JSON.stringify(row));
			}),
			{ numRuns: 1_000 },
		);
	});

	it('leaves as it came where its token is an ordinary value', () => {
		const ordinary = [
			...['authorised', '00000000', 'cash', 'USD', '25.00', '5709', '', ' ', 'Ada', '2025', 'a'],
			...[uuid8, '2025-01-15T12:00:00.000Z', '1000001', 'Authorised', 'Visa', 'Two seats'],
		];
		for (const token of ordinary) {
			const row = plainCharge(1);
			setPlace(row, 'source.token', token);
			setPlace(row, 'source.card_data', {
				card_number: '',
				security_code: '',
				expiry_year: '2025',
			});
			setPlace(row, 'note', `${uuid8} was ${token} of 00000000 at 2025-01-15T12:00:00.000Z`);
			expect(JSON.stringify(whole(row))).toBe(removed(row));
			setPlace(row, 'source.card_data', { card_number: token, security_code: token });
			expect(JSON.stringify(whole(row))).toBe(removed(row));
		}
	});

	it('keeps a token that is part of a longer word', () => {
		const row = plainCharge(1);
		setPlace(row, 'source.token', 'abcdefghijkl');
		setPlace(row, 'note', 'xabcdefghijkl abcdefghijklm éabcdefghijkl abcdefghijkl1 [abcdefghijkl]');
		expect(whole(row)['note']).toBe(
			'xabcdefghijkl abcdefghijklm éabcdefghijkl abcdefghijkl1 [[redacted]]',
		);
	});
});

const uuid8 = '00000000-0000-4000-8000-000000000008';

describe('a text of which nothing is known', () => {
	const uniform = fc.tuple(
		cardNumbers.filter(({ length }) => length >= 13),
		spellings,
		fc.constantFrom('Card ', 'No. 7: ', 'card_number=', '"', 'é', '(', ''),
		fc.constantFrom(' was declined', '.', '"', ')', ' x', ''),
	);

	it('holds no card number any more, however it is spelled', () => {
		fc.assert(
			fc.property(uniform, ([number, { spell }, before, after]) => {
				const written = spell(number);
				const text = redactText(before + written + after, '');
				expect(text).not.toContain(written);
				expect(text).toContain('[redacted]');
			}),
			{ numRuns: 2_000 },
		);
	});
});
