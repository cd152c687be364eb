import type { IDataObject } from 'n8n-workflow';
import { Amount, currencyDigits, withoutSpareZeros } from '../money';
import { isNothing } from '../input/inputChecks';
import { hasFailed } from '../service/answers';
import { latest, parseInstant, type Instant } from '../timestamps';
import { isRecord, plainText } from '../values';

/** A charge or a customer of a list. */
export interface Listed {
	readonly id: string;
	readonly created: Instant;
	readonly record: IDataObject;
}

/** A longer ID or status counts as one that can't be read. */
const MAX_TEXT_LENGTH = 200;

/** @returns undefined for a row without an ID or a time of creation: nothing shows whether it is new */
export function readListed(row: unknown): Listed | undefined {
	if (!isRecord(row)) return undefined;
	const record = row as IDataObject;
	const id = idOf(record['id']);
	const created = parseInstant(record['created']);
	return id === undefined || created === undefined ? undefined : { id, created, record };
}

function idOf(given: unknown): string | undefined {
	const id = typeof given === 'number' && Number.isFinite(given) ? String(given) : given;
	return typeof id === 'string' && id !== '' && id.length <= MAX_TEXT_LENGTH ? id : undefined;
}

/** A charge, with the fields that decide about its events (docs/service.md, Charges). */
export interface Charge extends Listed {
	/** Missing if it can't be read. */
	readonly status?: string | undefined;
	/** See {@link amountText}; missing if nothing was refunded, or it can't be read. */
	readonly refundTotal?: string | undefined;
	/** The time of the last refund, if `refunds` shows it. */
	readonly refundedAt?: Instant | undefined;
	/** Since when it has its status: the time in `events`, which is one entry, if that is about this status. */
	readonly statusSince?: Instant | undefined;
}

export function readCharge(row: unknown): Charge | undefined {
	const listed = readListed(row);
	if (listed === undefined) return undefined;
	const { status, events } = listed.record;
	const refunded = readRefunded(listed.record);
	const refundTotal = refundTotalText(listed.record, refunded);
	return {
		...listed,
		status: typeof status === 'string' && status.length <= MAX_TEXT_LENGTH ? status : undefined,
		refundTotal,
		refundedAt: refundTotal === undefined ? undefined : newestRefund(refunded),
		statusSince: statusTime(events, status),
	};
}

function newestRefund({ records = [] }: Refunded): Instant | undefined {
	const [first, ...others] = records.flatMap(({ at }) => at ?? []);
	return first === undefined ? undefined : latest(first, ...others);
}

function statusTime(events: unknown, status: unknown): Instant | undefined {
	return isRecord(events) && events['type'] === status
		? parseInstant(events['created'])
		: undefined;
}

/** Capitals in statuses don't matter. */
export const inLowerCase = (status: string): string => status.normalize('NFC').toLowerCase();

/**
 * The Status filter of events. The nodes apply it and do not send it: charges whose status changes would join and leave a
 * filtered list, and nothing would show which rows came in.
 */
export class StatusFilter {
	private readonly statuses: readonly string[] | undefined;

	/** @param names undefined for all statuses */
	constructor(readonly names: readonly string[] | undefined) {
		this.statuses = names?.map(inLowerCase);
	}

	get isSet(): boolean {
		return this.statuses !== undefined;
	}

	matches({ status }: Charge): boolean {
		return this.statuses?.includes(inLowerCase(status ?? '')) ?? true;
	}

	/** True without a filter, or if `has` is true for one of the filter's statuses. */
	isAny(has: (status: string) => boolean): boolean {
		return this.statuses?.some(has) ?? true;
	}
}

type ChargeRecord = Readonly<Record<string, unknown>>;

/** A refund record that has not failed; undefined stands for a value that can't be read. */
export interface RefundRecord {
	readonly amount: Amount | undefined;
	readonly at: Instant | undefined;
}

/** The refunded amount of a charge (docs/service.md, Charges). */
export interface Refunded {
	/** `refund_total`, or `recorded` without one; undefined if it can't be read. */
	readonly total: Amount | undefined;
	/** The sum of the refund records; undefined if one of them can't be read. */
	readonly recorded: Amount | undefined;
	/** Undefined without a list of them. */
	readonly records: readonly RefundRecord[] | undefined;
}

/** Calculates the refunded amount for both nodes. Outputs keep `refund_total`, which may be missing, as the service sent it. */
export function readRefunded({ refund_total: stated, refunds }: ChargeRecord): Refunded {
	const records = Array.isArray(refunds) ? refunds.flatMap(readRefundRecord) : undefined;
	const amounts = records?.map(({ amount }) => amount) ?? (isNothing(refunds) ? [] : [undefined]);
	const recorded = amounts.every((amount) => amount !== undefined)
		? amounts.reduce((sum, amount) => sum.plus(amount), Amount.ZERO)
		: undefined;
	const total = isNothing(stated) ? recorded : Amount.read(stated);
	// A negative total can't be right.
	const isAmount = total !== undefined && total.units >= 0n;
	return { total: isAmount ? total : undefined, recorded, records };
}

function readRefundRecord(entry: unknown): RefundRecord | RefundRecord[] {
	if (!isRecord(entry)) return { amount: undefined, at: undefined };
	if (hasFailed(entry['status'])) return [];
	return { amount: Amount.read(entry['amount']), at: parseInstant(entry['created']) };
}

/** An amount with the currency's decimal places, so that 1.5 and 1.50 are one text, also in event IDs. */
export function amountText(total: Amount, currency: unknown): string {
	const bare = Amount.read(withoutSpareZeros(total.text)) ?? total;
	return bare.withScale(currencyDigits(plainText(currency)) ?? 0).text;
}

/** @returns see {@link amountText}; undefined if nothing was refunded, or it can't be read */
export const refundTotalText = (
	charge: ChargeRecord,
	{ total = Amount.ZERO } = readRefunded(charge),
): string | undefined => (total.isPositive ? amountText(total, charge['currency']) : undefined);
