import type { IDataObject } from 'n8n-workflow';
import { plainText } from '../../shared/plainText';
import { NOTHING, compareAmounts, readAmount } from '../../shared/money';
import { keyOf } from '../cursor/keySet';
import { latest, parseInstant } from '../timestamps';
import type { Instant } from '../timestamps';

/** What the trigger decides by, of one charge as it was read (docs/service.md, Charges). */
export interface ChargeRow {
	readonly id: string;
	/** Stands for the id in the cursor. */
	readonly key: string;
	readonly created: Instant;
	/** Empty where there is none. */
	readonly status: string;
	/** Decimal text as the service gives it; undefined while nothing was refunded. */
	readonly refundTotal: string | undefined;
	/** When it was last refunded, where `refunds` says so. */
	readonly refundedAt: Instant | undefined;
	/** When it got its present status, where `events` says so: its one entry is then of that type. */
	readonly statusSince: Instant | undefined;
	/** The record as it came. */
	readonly record: IDataObject;
}

/** Longer texts are no ids and no statuses, and would make the state grow. */
const MAX_ID_LENGTH = 200;

/**
 * Reads a row of the charge list.
 *
 * @returns undefined for a row without an id or a point in time: nobody can tell whether it is new
 */
export function readChargeRow(record: unknown): ChargeRow | undefined {
	if (!isObject(record)) return undefined;
	const { id, created, status, refund_total: refundTotal, refunds, events } = record;
	const createdAt = parseInstant(created);
	if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH) return undefined;
	if (createdAt === undefined) return undefined;
	const amount = readAmount(refundTotal);
	const isRefunded = amount !== undefined && compareAmounts(amount, NOTHING) > 0;
	return {
		id,
		key: keyOf(id),
		created: createdAt,
		status: typeof status === 'string' && status.length <= MAX_ID_LENGTH ? status : '',
		refundTotal: isRefunded ? plainText(refundTotal) : undefined,
		refundedAt: isRefunded ? newestRefund(refunds) : undefined,
		statusSince: sinceWhen(events, status),
		record,
	};
}

/** Stands for the id of a row that can't be read otherwise; undefined where it has none. */
export function keyOfUnreadable(record: unknown): string | undefined {
	const id = isObject(record) ? record['id'] : undefined;
	return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? keyOf(id) : undefined;
}

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function newestRefund(refunds: unknown): Instant | undefined {
	const entries: unknown[] = Array.isArray(refunds) ? refunds : [];
	const instants = entries.flatMap((entry) =>
		isObject(entry) ? (parseInstant(entry['created']) ?? []) : [],
	);
	const [first, ...others] = instants;
	return first === undefined ? undefined : latest(first, ...others);
}

function sinceWhen(events: unknown, status: unknown): Instant | undefined {
	return isObject(events) && events['type'] === status
		? parseInstant(events['created'])
		: undefined;
}
