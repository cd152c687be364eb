import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/records.generated';
import type { Meaning } from '../../../contract/schemas/primitives';
import { toItems } from '../../../nodes/shared/records/recordItem';
import { redactRecords } from '../../../nodes/shared/redaction/redactRecord';
import { REDACTED } from '../../../nodes/shared/redaction/secretTexts';
import fc from '../../support/jest/property';
import { ESCAPES } from '../../support/secrets/escapes';
import { PLANTED, findSecrets } from '../../support/secrets/secrets';

const { apiKey, cardNumber, securityCode, token } = PLANTED;
const shown = {
	card_number: cardNumber,
	expiry_year: '2031',
	card_holder_name: 'Augusta Ada King',
};
const cardData = { ...shown, security_code: securityCode };
const source = { type: 'card', token, last4: '5709', bin: '492942', card_data: cardData };
const grouped = (separator: string): string => cardNumber.match(/.{4}/g)?.join(separator) ?? '';
const bareSource = { type: 'card', last4: '5709', bin: '492942' };

const redacted = (record: IDataObject, includeSensitiveData = false): IDataObject =>
	redactRecords([record], { apiKey, includeSensitiveData })[0] ?? {};
const noteOf = (note: unknown, held: IDataObject = source): unknown =>
	redacted({ source: held, note } as IDataObject)['note'];

describe('fields', () => {
	it('with card data and tokens are removed, and no others', () => {
		expect(redacted({ id: '1', total: '12.50', source })).toEqual({
			id: '1',
			total: '12.50',
			source: bareSource,
		});
	});

	it('with card data and tokens stay on request, but never the security code', () => {
		const record = { source, note: `card ${cardNumber}, ${token}` };
		expect(redacted(record, true)).toEqual({ ...record, source: { ...source, card_data: shown } });
	});

	it.each(
		'security_code securityCode SECURITY_CODE cvv CVC cvv2 csc cav2 cvv_code cvcCode cvd_value cid'
			.concat(' card_verification_value cardVerificationCode verification_value card_cvc cid_code')
			.split(' '),
	)('named %s are always removed', (name) => {
		expect(redacted({ a: [{ [name]: '917' }] }, true)).toEqual({ a: [{}] });
		expect(redacted({ metadata: { [name]: '917' } }, true)).toEqual({ metadata: {} });
	});

	it.each(['token', 'Token', 'card_data', 'cardData', 'card_number', 'cardNumber'])(
		'named %s are removed from every object',
		(name) => {
			const record = { customer: { deep: [[{ [name]: 'x', kept: 1 }]] } };
			expect(redacted(record)).toEqual({ customer: { deep: [[{ kept: 1 }]] } });
			expect(redacted(record, true)).toBe(record);
		},
	);

	it('that the contract calls secret are removed, whatever their names are', () => {
		const meanings = RECORD.get('source') as Map<string, Meaning>;
		meanings.set('iban', 'secret');
		try {
			const note = 'from DE02120300000000202051';
			const record = { source: { iban: 'DE02120300000000202051' }, note };
			expect(redacted(record)).toEqual({ source: {}, note: `from ${REDACTED}` });
			expect(redacted(record, true)).toEqual(record);
		} finally {
			meanings.delete('iban');
		}
	});

	it('of the merchant’s own data stay, whatever their names are, but for objects with records', () => {
		const metadata = { token: 'table-7', card_number: 'loyalty-1' };
		expect(redacted({ metadata, note: 'table-7' })).toEqual({ metadata, note: 'table-7' });
		expect(redacted({ metadata: { charge: { source } } })).toEqual({
			metadata: { charge: { source: bareSource } },
		});
	});
});

describe('texts of a record', () => {
	it('lose card numbers that no field names, unless the user asks for them', () => {
		const record = { note: `by ${cardNumber}`, custom_fields: [{ pan: Number(cardNumber) }] };
		const left = { note: `by ${REDACTED}`, custom_fields: [{ pan: REDACTED }] };
		expect(redacted(record)).toEqual(left);
		expect(redacted(record, true)).toBe(record);
	});

	it.each<IDataObject>([
		{ note: 'Refund 1234567812345670, DE89 3704 0044 0532 0130 00, 4929420573595708' },
		{ customer: { email: `${cardNumber}@qq.com`, phone_number: cardNumber } },
		{ id: cardNumber, reference_id: Number(cardNumber), items: [{ sku: cardNumber }] },
		{ extra: { orderId: cardNumber, order_id: Number(cardNumber), reference: cardNumber } },
		{ metadata: { order: cardNumber, cid: 'GA1.2.1042.17' } },
		{ note: 'CVV check passed for 12.50, security code: none', extra: { cvc_check: 'pass' } },
	])('keep digits that are no secret: %j', (record) => {
		expect(redacted(record)).toBe(record);
	});

	it('lose a security code that they name, also with Include Sensitive Data', () => {
		const record = {
			note: '{"cvv":"917"}',
			extra: ['security code 917'],
			metadata: { a: 'CVC2=9170' },
		};
		const left = {
			note: `{"cvv":"${REDACTED}"}`,
			extra: [`security code ${REDACTED}`],
			metadata: { a: `CVC2=${REDACTED}` },
		};
		expect(redacted(record)).toEqual(left);
		expect(redacted(record, true)).toEqual(left);
	});
});

describe('the value of a removed field', () => {
	// More spellings are in balance.property.test.ts.
	it.each([cardNumber, ...['   ', '\u2011', '+', '*', '\n'].map(grouped), token])(
		'is replaced in a free text in the form %j',
		(written) => {
			expect(noteOf(`paid by ${written}, thanks`)).toBe(`paid by ${REDACTED}, thanks`);
			expect(noteOf(`No. 7: ${written}`)).toBe(`No. 7: ${REDACTED}`);
		},
	);

	const odd = 'tok/58ab+3e0d=2f"x\\y';
	it.each(ESCAPES)('replaces a whole text in which it shows only decoded: %s', (_what, write) => {
		const note = `é ${write(odd)} 100%`;
		expect(noteOf(note, { token: odd })).toBe(note.includes(odd) ? `é ${REDACTED} 100%` : REDACTED);
		const number = write(grouped('-'));
		expect(noteOf(`a ${number}`)).toMatch(/^(?:a .*)?\[redacted\]/);
		expect(JSON.stringify(noteOf(`a ${number}`))).not.toContain('5709');
	});

	it('is replaced in all texts and names but identifiers, amounts, dates and other fixed texts', () => {
		const of = (text: string): string => `of ${text}`;
		const fixed = {
			id: of(cardNumber),
			reference_id: of(token),
			status: `paid ${cardNumber}`,
			currency: of(token),
			total: of(cardNumber),
			created: of(token),
			refunds: [{ created: of(token), amount: of(cardNumber) }],
		};
		const free = (text: string): IDataObject => ({
			payment_method: text,
			success_url: `https://shop.example.com/?t=${text}`,
			user: { first_name: text },
			events: { type: text, message: `Token ${text} authorised` },
			custom_fields: [{ value: text, [`of ${text}`]: 1, list: [[text]] }],
			metadata: { channel: text },
			charges: [{ payment_method: text }],
		});
		for (const secret of [token, cardNumber]) {
			expect(redacted({ ...fixed, source, ...free(secret) })).toEqual({
				...fixed,
				source: bareSource,
				...free(REDACTED),
			});
		}
		expect(redacted({ source: { ...source, issuer: token } })['source']).toMatchObject({
			issuer: REDACTED,
		});
		expect(redacted({ source, unknown: [Number(cardNumber)] })['unknown']).toEqual([REDACTED]);
	});

	it('is found in lists and under undocumented names', () => {
		const held = {
			token: ['tok-in-a-list-1', { old: 'tok-in-a-list-2' }],
			card_data: { wallet: { payment_token: 'tok-in-a-wallet' }, card_number: 4929420573595709 },
		};
		const note = `tok-in-a-list-1 tok-in-a-list-2 tok-in-a-wallet ${grouped(' ')}`;
		const marks = Array.from({ length: 4 }, () => REDACTED).join(' ');
		expect(noteOf(note, held)).toBe(marks);
		expect(redacted({ note, charges: [{ extra: held }] })['note']).toBe(marks);
	});

	const holder = 'Augusta Ada King';
	const numbered = (card_number: unknown) => ({ card_data: { card_number } }) as IDataObject;
	const named = { card_data: { card_holder_name: holder, issuer: 'Bank of A' } };
	const masked = '4929-xxxx-xxxx-5709';
	it.each<[what: string, held: IDataObject, text: string, others?: IDataObject]>([
		['three digits', { card_data: { cvv: '123', expiry_year: '2031' } }, '123.00 in 2031'],
		['a name', named, `${holder}, Bank of A`],
		['an e-mail address', { card_data: { billing_email: 'ada@mail.example' } }, 'ada@mail.example'],
		['a masked number', numbered('492942******5709'), 'Visa 492942******5709'],
		['a number of x', numbered(masked), masked],
		['a number of zeros', numbered('0000 0000 0000 0000'), '0000000000000000'],
		['a short word', { token: 'contactless' }, 'contactless'],
		['a placeholder', { token: 'not_applicable' }, 'not_applicable'],
		['another placeholder', { token: 'UNKNOWN token' }, 'UNKNOWN token'],
		['the ID', { token }, `see ${token}`, { id: token }],
		['an ID within', { token }, `see ${token}`, { items: [{ id: token }] }],
		['a reference', numbered(1042e12), '1042000000000000', { reference_id: 1042e12 }],
	])('is kept in other fields if it is no secret: %s', (_what, held, text, others = {}) => {
		const rest = {
			...others,
			note: text,
			payment_method: text,
			success_url: `https://a.example/${text}`,
		};
		expect(redacted({ ...rest, source: { issuer: text, ...held } })).toEqual({
			...rest,
			source: { issuer: text },
		});
	});

	it('is replaced with the whole text if there are many values or a very long one', () => {
		const long = 'xy'.repeat(150);
		expect(noteOf(`a ${long} b`, { token: long })).toBe(REDACTED);
		const tokens = Array.from({ length: 30 }, (_, index) => `token-number-${index}`);
		expect(noteOf('a text of some length', { token: tokens })).toBe(REDACTED);
		expect(noteOf('short', { token: tokens })).toBe('short');
	});

	it('is replaced as a whole if a shorter one begins with the same text', () => {
		const held = { token: ['abcdefghijkl', 'abcdefghijkl-longer'] };
		expect(noteOf('abcdefghijkl-longer', held)).toBe(REDACTED);
	});
});

it('the key is replaced in any text and in undocumented names', () => {
	const holding = (key: string) => ({ id: key, status: key, url: `?k=${key}`, l: [key], [key]: 1 });
	expect(redactRecords([holding(apiKey)], { apiKey: ` ${apiKey} ` })).toEqual([holding(REDACTED)]);
});

describe('a record', () => {
	it('is copied for a change, keeps its order, and does not share its secrets with other records', () => {
		const record = { id: '1', note: `paid by ${cardNumber}`, source, z: [{ token, a: 1 }] };
		const before = structuredClone(record);
		const [first, second] = redactRecords([record, { note: token }], { apiKey });
		expect(record).toEqual(before);
		expect(Object.keys(first ?? {})).toEqual(Object.keys(before));
		expect(second).toEqual({ note: token });
	});

	it('named __proto__ does no harm', () => {
		const record = JSON.parse('{"__proto__": {"token": "x"}, "a": 1}') as IDataObject;
		const result = redacted(record);
		expect(JSON.stringify(result)).toBe('{"__proto__":{},"a":1}');
		expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
	});

	it('of any shape loses its secrets', () => {
		const secret = fc.constantFrom<IDataObject>(
			{ token },
			{ card_data: cardData },
			{ source },
			{ card_number: cardNumber, security_code: securityCode },
			{ message: `key ${apiKey}` },
		);
		const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 5, withCrossShrink: true },
				fc.constantFrom(`see ${cardNumber}`, `${token}!`, encodeURIComponent(grouped(' ')), 'a', 7),
				secret,
				fc.array(tie('tree'), { maxLength: 3 }),
				fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
			),
		}));
		fc.assert(
			fc.property(tree, (value) => {
				const record = { value, source } as IDataObject;
				expect(findSecrets(redacted(record))).toEqual([]);
				expect(findSecrets(redacted(record, true), { apiKey, securityCode })).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});
});

it('Simplify takes its fields from the redacted charge', () => {
	const charge = {
		id: 'a',
		note: `by ${cardNumber}`,
		source: { ...source, card_holder_name: token },
	};
	expect(toItems([charge], { apiKey, fields: ['payer_name', 'note'] })).toEqual([
		{ payer_name: REDACTED, note: `by ${REDACTED}` },
	]);
});
