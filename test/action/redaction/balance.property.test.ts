import { faker } from '@faker-js/faker';
import type { IDataObject } from 'n8n-workflow';
import { redactRecords, secretsOf } from '../../../nodes/shared/redaction/redactRecord';
import { redactText, shownText } from '../../../nodes/shared/redaction/redactText';
import { REDACTED, withoutSecrets } from '../../../nodes/shared/redaction/secretTexts';

/** What a merchant needs stays, and no secret leaves: ten thousand made-up charges, the same in every run. */

const CHARGES = 10_000;
const apiKey = 'pk-planted-7c1f0e94b2d84ad6';
const { date, finance, helpers, internet, location, lorem, number, person, phone, string } = faker;

const inGroups = (text: string, separator: string): string =>
	text.match(/.{1,4}/g)?.join(separator) ?? '';

function hasCheckDigit(digits: string): boolean {
	const counted = Array.from(digits)
		.reverse()
		.map((digit, at) => Number(digit) * (1 + (at % 2)));
	return counted.reduce((sum, one) => sum + one - (one > 9 ? 9 : 0), 0) % 10 === 0;
}

/** Of any length. With a check digit, it begins as no card does. */
function longNumber(): string {
	const digits = string.numeric({ length: { min: 8, max: 24 }, allowLeadingZeros: false });
	return hasCheckDigit(digits) ? `1${digits.slice(1)}` : digits;
}

const capitals = (length: number): string => string.alphanumeric({ length, casing: 'upper' });

/** What fills the texts of charges. */
const PARTS: ReadonlyArray<() => string> = [
	() => internet.email(),
	() => `${string.numeric(16)}@${internet.domainName()}`,
	() => finance.iban(),
	() => finance.iban({ formatted: true }),
	() => inGroups(`AE${string.numeric(21)}`, ' '),
	() => helpers.arrayElement(['order ', '#', 'ORD-', 'ref ']) + longNumber(),
	() => inGroups(`1Z${capitals(16)}`, ' '),
	() => inGroups(`94${string.numeric(20)}`, ' '),
	() => date.past().toISOString(),
	() => date.past().toISOString().slice(0, 19).replace('T', ' '),
	() => String(date.past().getTime()),
	() => phone.number({ style: 'international' }),
	() => `+49${string.numeric(11)}`,
	() => phone.number(),
	() => string.uuid(),
	() => `${finance.amount()} ${finance.currencyCode()}`,
	() => String(number.float()),
	() => `https://shop.example.com/${string.uuid()}?a=${longNumber()}%20${string.hexadecimal()}`,
	() => lorem.sentence(),
	() => person.fullName(),
	() => location.streetAddress(),
	() => `Visa ${string.numeric(6)}******${string.numeric(4)}`,
];

type Charge = ReturnType<typeof someCharge>;

function someCharge(pool: readonly string[][]) {
	const text = (): string =>
		[1, 2].map(() => helpers.arrayElement(helpers.arrayElement(pool))).join('; ');
	return {
		id: string.uuid(),
		reference_id: number.int(),
		created: date.past().toISOString(),
		total: finance.amount(),
		note: text(),
		items: [{ name: text(), sku: string.numeric(13) }],
		user: { first_name: person.firstName(), last_name: text() },
		events: { type: 'authorised', message: text() },
		custom_fields: [{ name: 'Order', value: text(), order_id: string.numeric(16) }],
		metadata: { token: 'table-7', order: string.numeric(16) },
		success_url: `https://shop.example.com/${longNumber()}`,
	};
}

/** The texts that anyone can write. */
const textsOf = ({ note, items, user, events, custom_fields: fields }: Charge): string[] =>
	[note, items[0]?.name, user.last_name, events.message, fields[0]?.value].map(String);

function someCharges(): Charge[] {
	faker.seed(20250115);
	const pool = PARTS.map((part) => helpers.multiple(part, { count: 400 }));
	return helpers.multiple(() => someCharge(pool), { count: CHARGES });
}

it('changes no value of a charge without secrets, and no text in a message', () => {
	const charges = someCharges();
	const left = redactRecords(charges, { apiKey });
	expect(left.filter((charge, index) => charge !== charges[index])).toEqual([]);
	const shown = charges.flatMap(textsOf).filter((text) => redactText(text, apiKey) !== text);
	expect(shown).toEqual([]);
	const cut = charges.map(({ note }) => note).filter((note) => shownText(note, apiKey) !== note);
	expect(cut).toEqual([]);
});

const written = (write: (code: number, sign: string) => string) => (text: string) =>
	text.replace(/[^]/g, (sign) => write(sign.charCodeAt(0), sign));
const hex = (code: number): string => code.toString(16).padStart(4, '0');
const ESCAPES: ReadonlyArray<(text: string) => string> = [
	(text) => text,
	encodeURIComponent,
	written((code) => `%${hex(code).slice(2)}`),
	written((code) => `\\u${hex(code)}`),
	written((code, sign) => (/\w/.test(sign) ? sign : `&#${code};`)),
	written((code) => `&amp;#x${hex(code)};`),
	written((code) => String.fromCharCode(code + 0xfee0)),
];
const SEPARATORS = [
	'',
	' ',
	'-',
	'.',
	'/',
	'_',
	'·',
	'\u00a0',
	'\u200b',
	'\u2013',
	' - ',
	'|',
	'~',
];
const CODES = ['cvv: ', '"cvv":"', 'security code ', 'CVC2=', 'cav2 ', 'cvvCode is '];

type Spelling = (secret: { number: string; token: string; code: string }) => [string, string];

/** What is written, and what of it must not stay. */
const SPELLINGS: readonly Spelling[] = [
	...SEPARATORS.map(
		(separator): Spelling =>
			({ number }) => {
				const spelled = inGroups(number, separator);
				return [spelled, spelled];
			},
	),
	({ number: one }) => [Array.from(one).join(' '), Array.from(one).join(' ')],
	...ESCAPES.map(
		(escape): Spelling =>
			({ token }) => [escape(token), escape(token)],
	),
	...ESCAPES.slice(1).map(
		(escape): Spelling =>
			({ number }) => {
				const spelled = escape(inGroups(number, ' '));
				return [spelled, spelled];
			},
	),
	...CODES.map(
		(name): Spelling =>
			({ code }) => [name + code, code],
	),
];

it(`lets no secret out of a charge or a message, in any of ${SPELLINGS.length} spellings`, () => {
	const left = someCharges().flatMap((charge, index) => {
		const number = finance.creditCardNumber().replace(/\D/g, '');
		const secret = { number, token: `tok_${string.alphanumeric(24)}`, code: string.numeric(3) };
		const [spelled, held] = SPELLINGS[index % SPELLINGS.length]?.(secret) ?? ['', ''];
		const place = helpers.arrayElement(textsOf(charge));
		const text = `${place}; ${spelled}; ${place}`;
		// Of a number, nothing has to be known.
		const source = { token: secret.token, card_data: index % 2 ? {} : { card_number: number } };
		const record: IDataObject = { ...charge, source, note: text };
		const shown = redactText(withoutSecrets(text, secretsOf(record)), apiKey);
		const allowed = [REDACTED, text.replace(spelled, spelled.replace(held, REDACTED))];
		const note = redactRecords([record], { apiKey })[0]?.['note'];
		return [note, shown].filter((one) => !allowed.some((text) => text === one));
	});
	expect(left).toEqual([]);
});
