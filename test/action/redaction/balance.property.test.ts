import { faker } from '@faker-js/faker';
import type { IDataObject } from 'n8n-workflow';
import { redactRecords, secretsOf } from '../../../nodes/shared/redaction/redactRecord';
import { redactText, shownText } from '../../../nodes/shared/redaction/redactText';
import { REDACTED, withoutSecrets } from '../../../nodes/shared/redaction/secretTexts';
import { ESCAPES } from '../../support/secrets/escapes';

/** Ten thousand made-up charges, the same in every run: secrets are removed, and nothing else. */

const CHARGES = 10_000;
const apiKey = 'pk-planted-7c1f0e94b2d84ad6';
const { date, finance, helpers, internet, location, lorem, number, person, phone, string } = faker;

const inGroups = (text: string, separator: string): string =>
	text.match(/.{1,4}/g)?.join(separator) ?? '';

function hasCheckDigit(digits: string): boolean {
	const counted = digits
		.split('')
		.reverse()
		.map((digit, at) => Number(digit) * (1 + (at % 2)));
	return counted.reduce((sum, one) => sum + one - (one > 9 ? 9 : 0), 0) % 10 === 0;
}

/** Begins a number with a valid check digit as no card number begins. */
function longNumber(): string {
	const digits = string.numeric({ length: { min: 8, max: 24 }, allowLeadingZeros: false });
	return hasCheckDigit(digits) ? `1${digits.slice(1)}` : digits;
}

const capitals = (length: number): string => string.alphanumeric({ length, casing: 'upper' });

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

const textsOf = ({ note, items, user, events, custom_fields: fields }: Charge): string[] =>
	[note, items[0]?.name, user.last_name, events.message, fields[0]?.value].map(String);

function someCharges(): Charge[] {
	faker.seed(20250115);
	faker.setDefaultRefDate('2025-01-15T12:00:00Z');
	const pool = PARTS.map((part) => helpers.multiple(part, { count: 400 }));
	return helpers.multiple(() => someCharge(pool), { count: CHARGES });
}

let charges: Charge[];
beforeAll(() => {
	charges = someCharges();
});

it('changes no value of a charge without secrets, and no text in a message', () => {
	const left = redactRecords(charges, { apiKey });
	const changed = [
		...left.filter((charge, index) => charge !== charges[index]),
		...charges.flatMap(textsOf).filter((text) => redactText(text, apiKey) !== text),
		...charges.map(({ note }) => note).filter((note) => shownText(note, apiKey) !== note),
	];
	expect(changed.slice(0, 10)).toEqual([]);
});

const SEPARATORS = ['', ' - ', ...' -./_·|~\u00a0\u200b\u2013'.split('')];
const NAMES = ['cvv: ', '"cvv":"', 'security code ', 'CVC2=', 'cav2 ', 'cvvCode is '];

/** Spellings of each secret, some of them after a name. */
const spellingsOf = (number: string, token: string, code: string) => [
	...SEPARATORS.map((sign) => ['', inGroups(number, sign)]),
	['', number.split('').join(' ')],
	...ESCAPES.map(([, escape]) => ['', escape(inGroups(number, ' '))]),
	...[token, ...ESCAPES.map(([, escape]) => escape(token))].map((spelled) => ['', spelled]),
	...NAMES.map((name) => [name, code]),
];

it('removes the secrets of a charge and a message in any spelling', () => {
	const left = charges.flatMap((charge, index) => {
		const card_number = finance.creditCardNumber().replace(/\D/g, '');
		const token = `tok/${string.alphanumeric(24)}+="x\\y`;
		const spellings = spellingsOf(card_number, token, string.numeric(3));
		const [name = '', spelled] = spellings[index % spellings.length] ?? [];
		const textWith = (secret = ''): string =>
			`${charge.note}, card ${name}${secret}, ${charge.note}`;
		// Half of the numbers are not known from the card data.
		const source = { token, card_data: index % 2 ? {} : { card_number } };
		const record: IDataObject = { ...charge, source, note: textWith(spelled) };
		const shown = redactText(withoutSecrets(textWith(spelled), secretsOf(record)), apiKey);
		const [{ note } = {}] = redactRecords([record], { apiKey });
		return [note, shown].filter((text) => text !== REDACTED && text !== textWith(REDACTED));
	});
	expect(left.slice(0, 10)).toEqual([]);
});
