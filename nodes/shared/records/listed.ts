import type { IDataObject } from 'n8n-workflow';
import { parseInstant, type Instant } from '../timestamps';
import { isRecord } from '../values';

/** A record of a list, a charge or a customer, as far as it shows whether it is new. */
export interface Listed {
	readonly id: string;
	readonly created: Instant;
	readonly record: IDataObject;
}

/** Longer texts are no ids and no statuses, and would make what is remembered of them grow. */
export const MAX_ID_LENGTH = 200;

/** @returns undefined for a row without an id or a point in time: nobody can tell whether it is new */
export function readListed(row: unknown): Listed | undefined {
	if (!isRecord(row)) return undefined;
	const record = row as IDataObject;
	const id = idOf(record['id']);
	const created = parseInstant(record['created']);
	return id === undefined || created === undefined ? undefined : { id, created, record };
}

function idOf(given: unknown): string | undefined {
	const id = typeof given === 'number' && Number.isFinite(given) ? String(given) : given;
	return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : undefined;
}
