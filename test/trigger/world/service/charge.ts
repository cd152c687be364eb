import type { IDataObject } from 'n8n-workflow';
import { HOUR_MS } from '../time';
import { TIMESTAMPS } from './traits';
import type { ServiceTraits, Timestamps } from './traits';

/** What makes a row unreadable. */
export type Defect = 'createdNull' | 'createdText' | 'numericId' | 'noId' | 'noRecord';

/** A charge as the service knows it. */
export interface ModelCharge {
	readonly id: string;
	/** In order of insertion. */
	readonly number: number;
	/** What `created` says, in ms; it may lie or move. */
	createdMs: number;
	/** The earliest that `created` has said, in ms. */
	earliestCreatedMs: number;
	readonly firstCreatedMs: number;
	/** It was taken from the list and shown again. */
	wasAway: boolean;
	/** Since when it is in the list without a break: in ms, and by the service's own count of events. */
	shownAt: number;
	shownSequence: number;
	changedAt: number;
	readonly amount: number;
	readonly currency: string;
	readonly customerId: string;
	readonly type: string;
	status: string;
	/** All that it has had, in order. */
	readonly statuses: string[];
	statusSince: number;
	/** The service's count of events when it got its status, and when it was last refunded. */
	statusSequence: number;
	refundSequence: number;
	readonly refunds: Array<{ readonly atMs: number; readonly cents: number }>;
	isListed: boolean;
	isDeleted: boolean;
	defect: Defect | null;
	/** Since when it can be read, in ms. */
	readableAt: number;
	/** A page that holds it can't be given. */
	isPoisoned: boolean;
}

/** Pseudo-random and always the same. */
export function mix(seed: number): number {
	let value = (seed + 0x9e3779b9) | 0;
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
	return (value ^ (value >>> 16)) >>> 0;
}

function writeTimestamp(ms: number, format: Timestamps, number: number): string {
	const iso = new Date(ms).toISOString();
	switch (format) {
		case 'millis':
			return iso;
		case 'micros':
			return `${iso.slice(0, -1)}${String(mix(ms) % 1000).padStart(3, '0')}Z`;
		case 'offset':
			return `${new Date(ms + 4 * HOUR_MS).toISOString().slice(0, -1)}+04:00`;
		case 'seconds':
			return `${iso.slice(0, 19)}Z`;
		case 'noZone':
			return iso.slice(0, -1);
		case 'mixed':
			return writeTimestamp(ms, TIMESTAMPS[number % TIMESTAMPS.length] ?? 'millis', number);
	}
}

export const refundTotal = ({ refunds }: Pick<ModelCharge, 'refunds'>): string =>
	(refunds.reduce((sum, { cents }) => sum + cents, 0) / 100).toFixed(2);

/** The row that the service shows for a charge. */
export function toRow(
	charge: ModelCharge,
	{ timestamps: format, isUndated }: ServiceTraits,
): IDataObject | string {
	const { defect } = charge;
	if (defect === 'noRecord') return 'row';
	const row: IDataObject = {
		id: defect === 'numericId' ? charge.number : charge.id,
		created: writeTimestamp(charge.createdMs, format, charge.number),
		currency: charge.currency,
		status: charge.status,
		total: (charge.amount / 100).toFixed(2),
		refund_total: refundTotal(charge),
		refunds: charge.refunds.map(({ atMs, cents }) => ({
			created: writeTimestamp(atMs, format, charge.number),
			amount: (cents / 100).toFixed(2),
		})),
		events: {
			type: charge.status,
			created: writeTimestamp(charge.statusSince, format, charge.number),
		},
	};
	if (isUndated === true) Object.assign(row, { refunds: [], events: null });
	if (defect === 'createdNull') row['created'] = null;
	if (defect === 'createdText') row['created'] = 'yesterday';
	if (defect === 'noId') delete row['id'];
	return row;
}
