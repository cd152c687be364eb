import { SHOWN_CHARGE_STATUS } from '../../contract/constants';
import type { CheckoutSession } from '../../contract/schemas/checkoutSession';
import { buildCharge, chargeIndexOfSession } from './charges';
import { drawFor, idFor, instantAt } from './seeding';
import { iso, type World } from './world';

/** The shown discount type. */
const FLAT = 'flat';

export function checkoutSessionId(seed: number, index: number): string {
	return idFor(seed, 'checkoutSession', index);
}

/** As long as the charge that pays it is at hand, a session is opened minutes before that charge. */
export function checkoutInstant(index: number, world: World): number {
	return instantAt(chargeIndexOfSession(index), world.latestMs, world.chargeGapMs) - 5 * 60 * 1000;
}

/**
 * docs/service.md, Checkout sessions. Session n is paid by the n-th charge of type checkout when that one is
 * seeded and authorised; otherwise it is created, cancelled or expired and carries no charge. amount and
 * discount are numbers in the main unit. The format of payment_time is not documented: ISO 8601 is assumed.
 */
export function buildCheckoutSession(world: World, index: number): CheckoutSession {
	const paidBy = chargeIndexOfSession(index);
	const chargeMs = instantAt(paidBy, world.latestMs, world.chargeGapMs);
	const { charge } = buildCharge(world, paidBy, chargeMs);
	const customer = world.customerAt((paidBy * 31) % Math.max(1, world.counts.customers));
	const draw = drawFor(world.seed, 'checkoutSession', index);
	const paid = paidBy < world.counts.charges && charge.status === SHOWN_CHARGE_STATUS;
	const id = checkoutSessionId(world.seed, index);
	return {
		id,
		url: `${world.url}/checkout/${id}`,
		status: paid ? 'paid' : draw.helpers.arrayElement(['created', 'cancelled', 'expired'] as const),
		amount: Number(charge.total),
		discount: Number(charge.discount),
		currency: charge.currency,
		reference_id: `cart-${draw.string.numeric(6)}`,
		created_at: iso(checkoutInstant(index, world)),
		items: charge.items.map((item) => ({
			item_id: item.product,
			name: item.name,
			unit_amount: item.amount,
			quantity: item.quantity,
			discount_type: FLAT,
			discount_amount: '0',
			total_amount: item.total_amount,
			net_amount: item.total_amount,
		})),
		customer: {
			first_name: customer.first_name,
			last_name: customer.last_name,
			business_name: customer.business_name,
			email: customer.email,
			phone_number: customer.phone_number,
		},
		metadata: { cart: draw.string.numeric(8), channel: draw.helpers.arrayElement(['web', 'app']) },
		charges: paid
			? [
					{
						id: charge.id,
						amount: Number(charge.total),
						payment_time: charge.created,
						payment_method: charge.payment_method,
						status: charge.status,
					},
				]
			: [],
	};
}
