import type { IDataObject } from 'n8n-workflow';
import { KEPT_CHARGE_FIELDS, USER_NAME } from '../../../contract/recordFields';
import { plainText } from '../values';
import { redactRecords, type RedactionOptions } from '../redaction/redactRecord';

export interface ItemOptions extends RedactionOptions {
	readonly simplify: boolean;
}

/** How records of the service leave a node: secrets go before anything else is done with a record. */
export type ToItems = (records: readonly IDataObject[], options: ItemOptions) => IDataObject[];

/** @param kept what Simplify keeps, see contract/recordFields.ts */
export const simplifiedTo =
	(kept: readonly string[]): ToItems =>
	(records, options) => {
		const withoutSecrets = redactRecords(records, options);
		return options.simplify ? withoutSecrets.map((record) => only(kept, record)) : withoutSecrets;
	};

export const toChargeItems = simplifiedTo(KEPT_CHARGE_FIELDS);

/** Every field in this order, null where the service left it out, so that columns made of records stay the same. */
function only(fields: readonly string[], record: IDataObject): IDataObject {
	const kept: IDataObject = {};
	for (const field of fields)
		kept[field] = field === USER_NAME ? userName(record['user']) : (record[field] ?? null);
	return kept;
}

/** First and last name of whoever took the payment; null where the charge names nobody. */
function userName(user: unknown): string | null {
	if (typeof user !== 'object' || user === null) return null;
	const { first_name: first, last_name: last } = user as IDataObject;
	return `${plainText(first)} ${plainText(last)}`.trim() || null;
}
