import { ENDPOINTS } from '../../../../../contract/endpoints';
import type { OperationDefinition } from '../../../run/operation';
import { refundFields } from './fields';
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
	run: refundCharge,
	write: {
		describeEffect: describeRefund,
		toolNotice:
			'This moves real money. Set by hand: the credential, Amount Type, and Options → Maximum Amount, the most that a mistaken model can pay back at a time. Leave to the model: Charge and Amount.',
		oneByOne: true,
	},
} satisfies OperationDefinition;
