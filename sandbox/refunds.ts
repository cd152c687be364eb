import { DOCUMENTED_CHARGE_STATUS } from '../contract/constants';
import type { Charge } from '../contract/schemas/charge';
import { UNPAID_STATUSES } from './data/charges';
import { iso } from './data/world';
import { invalid, ServiceError } from './errors';
import { decimalsOf, toMinor, toText } from './money';
import type { Switches } from './switches';

/**
 * POST /v1/charges/{id}/refund: the charge after the refund, its refunds adding up to refund_total, which
 * never passes total. Limits and codes are not documented; assumed: 400 for an amount that is not positive or
 * that the currency cannot hold, 409 when nothing was paid or nothing is left, 422 above what is left or
 * below it where partial refunds are switched off.
 *
 * @param amount all that is left when it is not given
 */
export function applyRefund(
	charge: Charge,
	amount: string | undefined,
	nowMs: number,
	switches: Pick<Switches, 'partialRefunds' | 'statusAfterRefund'>,
): Charge {
	const { currency, total, refund_total, status } = charge;
	const decimals = decimalsOf(currency);
	const refunded = toMinor(refund_total, decimals) ?? 0n;
	const remaining = (toMinor(total, decimals) ?? 0n) - refunded;
	const minor = amount === undefined ? remaining : toMinor(amount, decimals);
	if (minor === undefined) throw invalid(`amount: ${currency} has ${decimals} decimals at most`);
	if (UNPAID_STATUSES.includes(status)) {
		throw new ServiceError(409, 'charge_not_refundable', `The charge is ${status}`);
	}
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
	const after: Charge = {
		...charge,
		refund_total: toText(refunded + minor, decimals),
		refunds: [...charge.refunds, { created: iso(nowMs), amount: toText(minor, decimals) }],
	};
	if (switches.statusAfterRefund === 'keep') return after;
	return withStatus(after, minor === remaining ? 'refunded' : 'partially_refunded', nowMs);
}

/** A charge in another status; its single event object tells of the change (docs/service.md, Charges). */
export function withStatus(charge: Charge, status: string, nowMs: number): Charge {
	const message = status === DOCUMENTED_CHARGE_STATUS ? 'Payment authorised' : `Payment ${status}`;
	return {
		...charge,
		status,
		events: { ...charge.events, created: iso(nowMs), type: status, message },
	};
}
