import type { IDataObject } from 'n8n-workflow';
import type { MadeField } from '../../../contract/records.generated';
import { Amount } from '../money';
import { isRecord, plainText } from '../values';
import { amountText } from './charge';
import { redactRecords, type RedactionOptions } from '../redaction/redactRecord';

export interface ItemOptions extends RedactionOptions {
	/** Fields of contract/records.generated.ts to keep, in this order; missing for whole records. */
	readonly fields?: readonly string[] | undefined;
	/** Called with the name of a field whose number JSON can have rounded. */
	readonly onRounded?: (field: string) => void;
}

/** Turns the service's records into items of a node. Secrets are removed before anything else is done with a record. */
export function toItems(records: readonly IDataObject[], options: ItemOptions): IDataObject[] {
	const withoutSecrets = redactRecords(records, options);
	const { fields, onRounded } = options;
	const items = fields ? withoutSecrets.map(only(fields)) : withoutSecrets;
	const rounded = onRounded && roundedIn(items);
	if (rounded !== undefined) onRounded?.(rounded);
	return items;
}

/** The name of a field with a number that JSON can have rounded. */
function roundedIn(value: unknown, name = ''): string | undefined {
	if (Number.isInteger(value)) return Number.isSafeInteger(value) ? undefined : name;
	if (typeof value !== 'object' || value === null) return undefined;
	for (const key in value) {
		const found = roundedIn(Reflect.get(value, key), Array.isArray(value) ? name : key);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Every field in this order, null where the service left it out, so that columns made of records stay the same. */
function only(fields: readonly string[]): (record: IDataObject) => IDataObject {
	const parts = fields.map((field) => [field, CALCULATED.get(field)] as const);
	return (record) => {
		const kept: IDataObject = {};
		for (const [field, calc] of parts) kept[field] = calc ? calc(record) : (record[field] ?? null);
		return kept;
	};
}

const CALCULATORS: Readonly<Record<MadeField, (record: IDataObject) => IDataObject[string]>> = {
	payer_name: ({ source }) => textsIn(source, 'card_holder_name'),
	net: ({ net, currency }) => {
		const amount = Amount.read(net);
		return amount ? amountText(amount, currency) : (net ?? null);
	},
	customer_name: ({ customer }) =>
		textsIn(customer, 'first_name', 'last_name') ?? textsIn(customer, 'business_name'),
	customer_email: ({ customer }) => textsIn(customer, 'email'),
};
const CALCULATED = new Map(Object.entries(CALCULATORS));

/** Texts of an object within a record, with a space between them; null where there are none. */
function textsIn(inner: unknown, ...names: string[]): string | null {
	if (!isRecord(inner)) return null;
	const texts = names.map((name) => plainText(inner[name]).trim());
	return texts.filter(Boolean).join(' ') || null;
}
