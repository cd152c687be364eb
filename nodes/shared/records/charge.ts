import type { IDataObject } from 'n8n-workflow';
import {
	NOTHING,
	addAmounts,
	amountText,
	compareAmounts,
	currencyDigits,
	readAmount,
	withScale,
	withoutSpareZeros,
	type Amount,
} from '../money';
import { isNothing } from '../input/inputChecks';
import { hasFailed } from '../service/answers';
import { latest, parseInstant, type Instant } from '../timestamps';
import { isRecord, plainText } from '../values';

/** A record of a list, a charge or a customer, as far as it shows whether it is new. */
export interface Listed {
	readonly id: string;
	readonly created: Instant;
	readonly record: IDataObject;
}

/** Longer texts are no ids and no statuses, and would make what is remembered of them grow. */
const MAX_ID_LENGTH = 200;

/** @returns undefined for a row without an ID or a point in time: nothing shows whether it is new */
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

/** What events are decided by, of one charge as it was read (docs/service.md, Charges). */
export interface Charge extends Listed {
	/** Absent where there is none that can be read. */
	readonly status?: string | undefined;
	/** Decimal text in one form, see {@link totalText}; absent while nothing was refunded. */
	readonly refundTotal?: string | undefined;
	/** When it was last refunded, where `refunds` says so. */
	readonly refundedAt?: Instant | undefined;
	/** When it got its present status, where `events` says so: its one entry is then of that type. */
	readonly statusSince?: Instant | undefined;
}

/**
 * Reads a row of the charge list.
 *
 * @returns undefined for a row without an ID or a point in time: nothing shows whether it is new
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

/** Statuses are compared without regard to capitals. */
export const inLowerCase = (status: string): string => status.normalize('NFC').toLowerCase();

/**
 * The Status filter of events. The nodes apply it and do not send it: a charge's status changes, so that charges would
 * come to the list and leave it, and nothing would show which rows came in.
 */
export class StatusFilter {
	private readonly statuses: readonly string[] | undefined;

	/** @param names those to let through, in small letters or capitals; undefined for all */
	constructor(readonly names: readonly string[] | undefined) {
		this.statuses = names?.map(inLowerCase);
	}

	get isSet(): boolean {
		return this.statuses !== undefined;
	}

	matches({ status }: Charge): boolean {
		return this.statuses?.includes(inLowerCase(status ?? '')) ?? true;
	}

	/** Whether one of the statuses to let through has a property. */
	some(has: (status: string) => boolean): boolean {
		return this.statuses?.some(has) ?? true;
	}
}

type ChargeRecord = Readonly<Record<string, unknown>>;

/** A refund that a charge has a record of, and that has not failed; undefined is what can't be read of it. */
export interface RefundRecord {
	readonly amount: Amount | undefined;
	readonly at: Instant | undefined;
}

/** How much of a charge is refunded (docs/service.md, Charges). */
export interface Refunded {
	/** `refund_total`, or `recorded` where that is missing; undefined when it can't be read. */
	readonly total: Amount | undefined;
	/** What the refund records add up to; undefined when one of them can't be read. */
	readonly recorded: Amount | undefined;
	/** Undefined for a charge without a list of them. */
	readonly records: readonly RefundRecord[] | undefined;
}

/**
 * The only place where the refunded amount is calculated. Outputs keep `refund_total` as the service sent it.
 * Whether a charge always has one is not documented.
 */
export function readRefunded({ refund_total: stated, refunds }: ChargeRecord): Refunded {
	const records = Array.isArray(refunds) ? refunds.flatMap(readRecord) : undefined;
	const amounts = records?.map(({ amount }) => amount) ?? (isNothing(refunds) ? [] : [undefined]);
	const recorded = amounts.every((amount) => amount !== undefined)
		? amounts.reduce(addAmounts, NOTHING)
		: undefined;
	const total = isNothing(stated) ? recorded : readAmount(stated);
	// Less than nothing says nothing.
	const isAmount = total !== undefined && compareAmounts(total, NOTHING) >= 0;
	return { total: isAmount ? total : undefined, recorded, records };
}

function readRecord(entry: unknown): RefundRecord | RefundRecord[] {
	if (!isRecord(entry)) return { amount: undefined, at: undefined };
	if (hasFailed(entry['status'])) return [];
	return { amount: readAmount(entry['amount']), at: parseInstant(entry['created']) };
}

/**
 * The refunded amount as text, in the one form that is a part of event ids: with the digits of the currency, however the
 * service writes it. 1.5 and 1.50 of one charge are one event.
 */
export function totalText(total: Amount, currency: unknown): string {
	const bare = readAmount(withoutSpareZeros(amountText(total))) ?? total;
	return amountText(withScale(bare, currencyDigits(plainText(currency)) ?? 0));
}

/** @returns see {@link totalText}; undefined while nothing was refunded, and where it can't be read */
export const refundTotalText = (
	charge: ChargeRecord,
	{ total = NOTHING } = readRefunded(charge),
): string | undefined =>
	compareAmounts(total, NOTHING) > 0 ? totalText(total, charge['currency']) : undefined;
