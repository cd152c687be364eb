import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/endpoints';
import { plainText } from '../shared/plainText';
import { compareAmounts, readAmount } from '../shared/money';
import { malformed } from '../shared/records';
import { keyOf } from './keySet';
import { latest, parseInstant } from './timestamps';
import type { Instant } from './timestamps';

/** What the trigger decides by, of one charge as it was read (service-interface.md, section "Charge"). */
export interface ChargeRow {
	readonly id: string;
	/** Stands for the id in the cursor. */
	readonly key: string;
	readonly created: Instant;
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

const NOTHING = { units: 0n, scale: 0 };
const request = { endpoint: ENDPOINTS.chargeList };

/**
 * Reads a row of the charge list. Without an id or a point in time nobody could tell whether it is new: such a
 * row is an error, never passed over in silence.
 *
 * @throws {ServiceFailure}
 */
export function readChargeRow(record: IDataObject): ChargeRow {
	const { id, created, status, refund_total: refundTotal, refunds, events } = record;
	if (typeof id !== 'string' || id === '') throw malformed(request, 'a charge without an id');
	const createdAt = parseInstant(created);
	if (createdAt === undefined) throw malformed(request, 'a charge whose created is no date-time');
	const amount = readAmount(refundTotal);
	const isRefunded = amount !== undefined && compareAmounts(amount, NOTHING) > 0;
	return {
		id,
		key: keyOf(id),
		created: createdAt,
		status: typeof status === 'string' ? status : '',
		refundTotal: isRefunded ? plainText(refundTotal) : undefined,
		refundedAt: isRefunded ? newestOf(refunds) : undefined,
		statusSince: sinceWhen(events, status),
		record,
	};
}

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function newestOf(refunds: unknown): Instant | undefined {
	const entries: unknown[] = Array.isArray(refunds) ? refunds : [];
	const instants = entries.flatMap((entry) =>
		isObject(entry) ? (parseInstant(entry.created) ?? []) : [],
	);
	const [first, ...others] = instants;
	return first === undefined ? undefined : latest(first, ...others);
}

function sinceWhen(events: unknown, status: unknown): Instant | undefined {
	return isObject(events) && events.type === status ? parseInstant(events.created) : undefined;
}
