import type { IDataObject } from 'n8n-workflow';
import type { MadeField } from '../../../contract/records.generated';
import { isRecord, plainText } from '../values';
import { redactRecords, type RedactionOptions } from '../redaction/redactRecord';

export interface ItemOptions extends RedactionOptions {
	/** The fields to keep, in this order: of contract/records.generated.ts. Missing for whole records. */
	readonly fields?: readonly string[] | undefined;
}

/** How records of the service leave a node: secrets go before anything else is done with a record. */
export function toItems(records: readonly IDataObject[], options: ItemOptions): IDataObject[] {
	const withoutSecrets = redactRecords(records, options);
	const { fields } = options;
	return fields === undefined
		? withoutSecrets
		: withoutSecrets.map((record) => only(fields, record));
}

/** Every field in this order, null where the service left it out, so that columns made of records stay the same. */
function only(fields: readonly string[], record: IDataObject): IDataObject {
	const kept: IDataObject = {};
	for (const field of fields)
		kept[field] = field in MADE ? MADE[field as MadeField](record) : (record[field] ?? null);
	return kept;
}

const MADE: Readonly<Record<MadeField, (record: IDataObject) => string | null>> = {
	payer_name: ({ source }) => textsIn(source, 'card_holder_name'),
	customer_name: ({ customer }) =>
		textsIn(customer, 'first_name', 'last_name') ?? textsIn(customer, 'business_name'),
	customer_email: ({ customer }) => textsIn(customer, 'email'),
};

/** Texts of an object within a record, with a space between them; null where there are none. */
function textsIn(inner: unknown, ...names: string[]): string | null {
	if (!isRecord(inner)) return null;
	const texts = names.map((name) => plainText(inner[name]).trim());
	return texts.filter(Boolean).join(' ') || null;
}
