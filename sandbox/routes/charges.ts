import type { FastifyInstance } from 'fastify';
import {
	type ChargeFilters,
	chargeFiltersSchema,
	type RefundAnswer,
	refundSchema,
} from '../../contract/schemas/charge';
import { pageQuerySchema } from '../../contract/schemas/list';
import type { SandboxContext } from '../context';
import type { StoredCharge } from '../data/charges';
import { notFound } from '../behaviour/errors';
import { activeFilter, activeFilters, type Predicates } from '../store/filters';
import { answerList } from '../store/pages';
import { applyRefund } from '../operations/refunds';
import { endpoint } from './v1';

const querySchema = chargeFiltersSchema.merge(pageQuerySchema);

/** docs/service.md, Charges: GET /v1/charges and POST /v1/charges/{id}/refund. */
export function chargeRoutes(app: FastifyInstance, context: SandboxContext): void {
	endpoint(app, context, 'chargeList', (request) => {
		const query = querySchema.parse(request.query);
		return {
			body: answerList(context, {
				resource: 'charges',
				table: context.store.charges,
				onlyId: activeFilter('id', query, context.switches),
				matches: activeFilters(query, PREDICATES, context.switches),
				present: ({ charge }) => charge,
				idOf: ({ charge }) => charge.id,
				query,
				target: request.url,
			}),
		};
	});

	endpoint(app, context, 'chargeRefund', (request, id) => {
		const { amount } = refundSchema.parse(request.body);
		const charge = context.store.updateCharge(id, (before) =>
			applyRefund(before, amount, context.store.nowMs, context.switches),
		);
		if (!charge) throw notFound('charge', id);
		const answer: RefundAnswer = { message: `Refunded ${amount} ${charge.currency}` };
		return { body: answer };
	});
}

const PREDICATES: Predicates<StoredCharge, ChargeFilters> = {
	currency: ({ charge }, wanted) => charge.currency === wanted,
	customer_id: ({ customerId }, wanted) => customerId === wanted,
	id: ({ charge }, wanted) => charge.id === wanted,
	status: ({ charge }, wanted) => charge.status === wanted,
	type: ({ type }, wanted) => type === wanted,
	// What search looks at is not documented: a part of id, reference_id, note or the card holder's name is taken to do.
	search: ({ charge }, wanted) =>
		[charge.id, String(charge.reference_id), charge.note, charge.source.card_holder_name].some(
			(text) => text.toLowerCase().includes(wanted.toLowerCase()),
		),
};
