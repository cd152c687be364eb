import { MAX_ID_LENGTH, readListed, type Listed } from '../records/listed';
import { isRecord } from '../values';
import { latest, parseInstant, type Instant } from '../timestamps';
import { readRefunded, refundTotalText, type Refunded } from './refundTotal';

/** What events are decided by, of one charge as it was read (docs/service.md, Charges). */
export interface Charge extends Listed {
	/** Absent where there is none that can be read. */
	readonly status?: string | undefined;
	/** Decimal text in one form, see refundTotal.ts; absent while nothing was refunded. */
	readonly refundTotal?: string | undefined;
	/** When it was last refunded, where `refunds` says so. */
	readonly refundedAt?: Instant | undefined;
	/** When it got its present status, where `events` says so: its one entry is then of that type. */
	readonly statusSince?: Instant | undefined;
}

/**
 * Reads a row of the charge list.
 *
 * @returns undefined for a row without an id or a point in time: nobody can tell whether it is new
 */
export function readCharge(row: unknown): Charge | undefined {
	const listed = readListed(row);
	if (listed === undefined) return undefined;
	const { status, events } = listed.record;
	const refunded = readRefunded(listed.record);
	const refundTotal = refundTotalText(listed.record, refunded);
	return {
		...listed,
		status: typeof status === 'string' && status.length <= MAX_ID_LENGTH ? status : undefined,
		refundTotal,
		refundedAt: refundTotal === undefined ? undefined : newestRefund(refunded),
		statusSince: sinceWhen(events, status),
	};
}

function newestRefund({ records = [] }: Refunded): Instant | undefined {
	const [first, ...others] = records.flatMap(({ at }) => at ?? []);
	return first === undefined ? undefined : latest(first, ...others);
}

function sinceWhen(events: unknown, status: unknown): Instant | undefined {
	return isRecord(events) && events['type'] === status
		? parseInstant(events['created'])
		: undefined;
}

/** Of a status, in whose place nobody means another one by its capitals. */
export const sameCase = (status: string): string => status.toLowerCase();

/**
 * The Status filter of events. The nodes apply it and do not send it: a charge's status changes, so that charges would
 * come to the list and leave it, and nobody could tell which rows came in.
 */
export class StatusFilter {
	private readonly statuses: readonly string[] | undefined;

	/** @param statuses those to let through, in small letters or capitals; undefined for all */
	constructor(statuses: readonly string[] | undefined) {
		this.statuses = statuses?.map(sameCase);
	}

	get isSet(): boolean {
		return this.statuses !== undefined;
	}

	matches({ status }: Charge): boolean {
		return this.statuses?.includes(sameCase(status ?? '')) ?? true;
	}

	/** Whether one of the statuses to let through has a property. */
	some(has: (status: string) => boolean): boolean {
		return this.statuses?.some(has) ?? true;
	}
}
