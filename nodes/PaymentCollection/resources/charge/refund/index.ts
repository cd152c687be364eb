import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/constants';
import { Amount } from '../../../../shared/money';
import { plainText } from '../../../../shared/values';
import type { OperationDefinition } from '../../../operation';
import { onceOnly } from '../../../writes/onceOnly';
import { refundFields } from './fields';
import { refundCharge } from './refundCharge';

/** Undefined if the record's amount is 0. A model that repeats itself gets the amount of the earlier refund. */
function describeRefund({ amount, currency, charge_id: id }: IDataObject): string | undefined {
	if (!Amount.read(amount)?.units) return undefined;
	return `${plainText(amount)} ${plainText(currency)} of charge ${plainText(id)} refunded`;
}

/** POST /v1/charges/{id}/refund (docs/service.md, Refunds). */
export const refund = {
	name: 'Refund',
	action: 'Refund charge',
	description: 'Refund a charge in full or in part. This moves real money and can’t be undone.',
	endpoint: ENDPOINTS.chargeRefund,
	fields: refundFields,
	output: { name: 'refundResult' },
	...onceOnly(refundCharge, {
		describeEffect: describeRefund,
		denial: 'NOT refunded',
		toolNotice:
			"This moves real money. Set these yourself: the credential, 'Amount Type' and 'Options → Maximum Amount'. That maximum applies to each refund, not to their sum. Let the model set only 'Charge' and 'Amount'.",
		movesMoney: true,
	}),
} satisfies OperationDefinition;
