import { SHOWN_CHARGE_STATUS } from '../../contract/constants';
import type { Charge } from '../../contract/schemas/charge';
import { ASSUMED_CHARGE_STATUSES } from '../data/catalogue';
import { iso } from '../data/world';
import { invalid, ServiceError } from '../behaviour/errors';
import { decimalsOf, toMinor, toText } from './money';
import type { Switches } from '../behaviour/switches';

const REFUNDED_STATUS = 'refunded';
const PARTIALLY_REFUNDED_STATUS = 'partially_refunded';

const NOTHING_WAS_PAID: readonly string[] = ASSUMED_CHARGE_STATUSES;

/** What can still be refunded, in minor units of the charge's currency. */
export function remainingOf(charge: Charge): bigint {
	const decimals = decimalsOf(charge.currency) ?? 2;
	return (toMinor(charge.total, decimals) ?? 0n) - (toMinor(charge.refund_total, decimals) ?? 0n);
}

/**
 * POST /v1/charges/{id}/refund: the charge after the refund, its refunds adding up to refund_total, which
 * never passes total. Limits and codes are not documented; assumed: 400 for an amount that is not positive or
 * that the currency cannot hold, 409 when nothing was paid or nothing is left, 422 above what is left or
 * below it where partial refunds are switched off.
 */
export function applyRefund(
	charge: Charge,
	amount: string,
	nowMs: number,
	switches: Pick<Switches, 'partialRefunds' | 'statusAfterRefund'>,
): Charge {
	const decimals = decimalsOf(charge.currency) ?? 2;
	const minor = toMinor(amount, decimals);
	if (minor === undefined) {
		throw invalid(`amount: ${charge.currency} has ${decimals} decimals at most`);
	}
	if (NOTHING_WAS_PAID.includes(charge.status)) {
		throw new ServiceError(409, 'charge_not_refundable', `The charge is ${charge.status}`);
	}
	const remaining = remainingOf(charge);
	const left = toText(remaining, decimals);
	if (remaining <= 0n) {
		throw new ServiceError(409, 'nothing_left_to_refund', 'The charge is refunded in full');
	}
	if (minor <= 0n) throw invalid('amount: must be greater than zero');
	if (minor > remaining) {
		throw new ServiceError(422, 'amount_exceeds_remaining', `amount: ${left} is left to refund`);
	}
	if (minor < remaining && !switches.partialRefunds) {
		throw new ServiceError(422, 'partial_refund_not_allowed', `amount: must be ${left}`);
	}
	const created = iso(nowMs);
	const refundTotal = (toMinor(charge.refund_total, decimals) ?? 0n) + minor;
	const refunded: Charge = {
		...charge,
		refund_total: toText(refundTotal, decimals),
		refunds: [...charge.refunds, { created, amount: toText(minor, decimals) }],
	};
	if (switches.statusAfterRefund === 'keep') return refunded;
	const status = minor === remaining ? REFUNDED_STATUS : PARTIALLY_REFUNDED_STATUS;
	return withStatus(refunded, status, nowMs);
}

/** A charge in another status; its single event object tells of the change (docs/service.md, Charges). */
export function withStatus(charge: Charge, status: string, nowMs: number): Charge {
	const message = status === SHOWN_CHARGE_STATUS ? 'Payment authorised' : `Payment ${status}`;
	return {
		...charge,
		status,
		events: { ...charge.events, created: iso(nowMs), type: status, message },
	};
}
