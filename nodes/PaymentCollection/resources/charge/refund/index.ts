import { ENDPOINTS } from '../../../../../contract/endpoints';
import type { OperationDefinition } from '../../../run/operation';
import { refundFields, refundFullFields } from './fields';
import { refundCharge } from './refundCharge';
import { describeRefund } from './result';

/** POST /v1/charges/{id}/refund (docs/service.md, Refunds). */
export const refund = {
	name: 'Refund',
	action: 'Refund charge',
	description:
		'Pay money back to the customer who paid a charge. Moves real money and can’t be undone.',
	endpoint: ENDPOINTS.chargeRefund,
	fields: refundFields,
	run: async (item) => await refundCharge(item, 'chosen'),
	write: {
		describeEffect: describeRefund,
		toolNotice:
			'This moves real money. Set by hand: the credential, Amount Type, and Options → Maximum Amount, the most that a mistaken model can pay back at a time. Leave to the model: Charge and Amount.',
		oneByOne: true,
	},
} satisfies OperationDefinition;

/** The same for all that is left, which nobody has to choose, or can choose by mistake in place of an amount. */
export const refundFull = {
	...refund,
	name: 'Refund in Full',
	action: 'Refund charge in full',
	description:
		'Pay all that is left of a charge back to the customer who paid it, the same as Refund with Amount Type Full. Moves real money and can’t be undone.',
	fields: refundFullFields,
	run: async (item) => await refundCharge(item, 'full'),
	write: {
		...refund.write,
		toolNotice:
			'This moves real money. Set by hand: the credential, and Options → Maximum Amount, the most that a mistaken model can pay back at a time. Leave to the model: Charge.',
	},
} satisfies OperationDefinition;
