import { z } from 'zod';

import { RECORD } from '../../contract/places';
import type { Meaning, Place } from '../../contract/places';
import { RECORD_FIELDS } from '../../contract/recordFields';
import { chargeSchema } from '../../contract/schemas/charge';
import { checkoutSessionSchema } from '../../contract/schemas/checkoutSession';
import { customerSchema } from '../../contract/schemas/customer';
import { invoiceSchema } from '../../contract/schemas/invoice';
import { linkSchema } from '../../contract/schemas/link';
import { deletedLinkSchema, refundResultSchema } from '../../contract/schemas/outputs';

/** What the nodes know about the fields of a record is what the schemas show, no more and no less. */

const RECORDS = {
	charge: chargeSchema,
	checkoutSession: checkoutSessionSchema,
	customer: customerSchema,
	deletedLink: deletedLinkSchema,
	invoice: invoiceSchema,
	link: linkSchema,
	refundResult: refundResultSchema,
};

/** The type below optional, nullable, refined and listed ones. */
function bare(type: z.ZodTypeAny): z.ZodTypeAny {
	if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) {
		return bare((type as z.ZodOptional<z.ZodTypeAny>).unwrap());
	}
	if (type instanceof z.ZodEffects) return bare((type as z.ZodEffects<z.ZodTypeAny>).innerType());
	if (type instanceof z.ZodArray) return bare((type as z.ZodArray<z.ZodTypeAny>).element);
	return type;
}

/** Every place of a schema that holds a value, as `source.card_data.card_number`. Lists stand for their entries. */
function leavesOf(type: z.ZodTypeAny, path = ''): string[] {
	const inner = bare(type);
	if (inner instanceof z.ZodObject) {
		const shape = inner.shape as Record<string, z.ZodTypeAny>;
		return Object.entries(shape).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`));
	}
	// The document shows no fields of these: whatever is in them is free text.
	if (inner instanceof z.ZodRecord && path !== '.metadata') return [];
	return [path.slice(1)];
}

function meaningAt(path: string): Meaning | Place | undefined {
	return path
		.split('.')
		.reduce<
			Meaning | Place | undefined
		>((place, name) => (place instanceof Map ? (place as Place).get(name) : undefined), RECORD);
}

function placesOf(place: Place, path = ''): string[] {
	return [...place].flatMap(([name, inner]) =>
		typeof inner === 'string' ? [`${path}${name}`] : placesOf(inner, `${path}${name}.`),
	);
}

it.each<[keyof typeof RECORD_FIELDS, made: string[]]>([
	['charge', ['payer_name']],
	['checkoutSession', ['customer_name', 'customer_email']],
	['customer', []],
	['invoice', []],
	['link', []],
])('the fields of a %s are those of its schema, and those made of them', (kind, made) => {
	const { all } = RECORD_FIELDS[kind];
	expect([...all].sort()).toEqual([...Object.keys(RECORDS[kind].shape), ...made].sort());
});

const LEAVES = Object.values(RECORDS).flatMap((schema) => leavesOf(schema));

describe('the places of a record', () => {
	it.each(Object.entries(RECORDS))('tell what each field of a %s holds', (_kind, schema) => {
		for (const leaf of leavesOf(schema)) {
			// The source of a link or an invoice is a word, that of a charge an object of its own.
			const meaning = meaningAt(leaf);
			const isKnown = leaf === 'source' ? meaning instanceof Map : typeof meaning === 'string';
			expect([leaf, isKnown]).toEqual([leaf, true]);
		}
	});

	it('tell of none that the contract does not show', () => {
		expect(placesOf(RECORD).filter((path) => !LEAVES.includes(path))).toEqual([]);
	});

	it('know the secrets that the document names', () => {
		const having = (meaning: Meaning) =>
			placesOf(RECORD).filter((path) => meaningAt(path) === meaning);
		expect(having('secret')).toEqual(['source.token', 'source.card_data.card_number']);
		expect(having('code')).toEqual(['source.card_data.security_code']);
	});

	it('take no money, date or identifier for text', () => {
		const isFixed = /(?:^|\.)(?:id|.*_id|.*amount|total|.*_total|created.*|status|currency)$/;
		for (const leaf of LEAVES.filter((path) => isFixed.test(path))) {
			expect([leaf, meaningAt(leaf)]).toEqual([leaf, 'fixed']);
		}
	});
});
