import { CHARGE_TYPES, DOCUMENTED_CHARGE_STATUS } from '../../contract/constants';
import type { CheckoutSession } from '../../contract/schemas/checkoutSession';
import { buildCharge, charges } from './charges';
import { drawFor, idFor, instantOf, iso, type Kind, MINUTE_MS, type World } from './world';

/**
 * docs/service.md, Checkout sessions. A session is paid by its charge where that one is seeded and authorised; otherwise
 * it is created, cancelled or expired and carries none. amount and discount are numbers in the main unit. The format
 * of payment_time is not documented: ISO 8601 is assumed.
 */
export const checkoutSessions: Kind<CheckoutSession> = {
	name: 'checkoutSession',
	gapMs: CHARGE_TYPES.length * charges.gapMs,
	build: buildCheckoutSession,
};

function buildCheckoutSession(world: World, index: number): CheckoutSession {
	// Every fifth charge is of type checkout: session n belongs to the n-th of them.
	const number = index * CHARGE_TYPES.length + CHARGE_TYPES.indexOf('checkout');
	const paidMs = instantOf(charges, world, number);
	const { charge } = buildCharge(world, number, paidMs);
	const { currency, status, payment_method } = charge;
	const { first_name, last_name, business_name, email, phone_number } = world.customerFor(
		number * 31,
	);
	const draw = drawFor(world, 'checkoutSession', index);
	const isPaid = number < world.counts.charges && status === DOCUMENTED_CHARGE_STATUS;
	const id = idFor(world, 'checkoutSession', index);
	const amount = Number(charge.total);
	return {
		id,
		url: `${world.url}/checkout/${id}`,
		status: isPaid ? 'paid' : draw.helpers.arrayElement(['created', 'cancelled', 'expired']),
		amount,
		discount: Number(charge.discount),
		currency,
		reference_id: `cart-${draw.string.numeric(6)}`,
		created_at: iso(paidMs - 5 * MINUTE_MS),
		items: charge.items.map((item) => ({
			item_id: item.product,
			name: item.name,
			unit_amount: item.amount,
			quantity: item.quantity,
			discount_type: 'flat',
			discount_amount: '0',
			total_amount: item.total_amount,
			net_amount: item.total_amount,
		})),
		customer: { first_name, last_name, business_name, email, phone_number },
		metadata: { cart: draw.string.numeric(8), channel: draw.helpers.arrayElement(['web', 'app']) },
		charges: isPaid
			? [{ id: charge.id, amount, payment_time: charge.created, payment_method, status }]
			: [],
	};
}
