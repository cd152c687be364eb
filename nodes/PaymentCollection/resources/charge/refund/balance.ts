import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/constants';
import { ReportedError } from '../../../../shared/errors/reportedError';
import { Amount, currencyDigits } from '../../../../shared/money';
import { readRefunded } from '../../../../shared/records/charge';
import { toItems } from '../../../../shared/records/recordItem';
import { plainText } from '../../../../shared/values';
import { secretsOf } from '../../../../shared/redaction/redactRecord';
import { withoutSecrets } from '../../../../shared/redaction/secretTexts';
import type { Transport } from '../../../../shared/service/transport';
import { findRow } from '../../../run/oneRecord';

/** A charge at one moment, in exact decimals of its currency. */
export interface ChargeBalance {
	readonly id: string;
	readonly currency: string;
	/** Fields that show whose charge it is, without secrets. */
	readonly owner: IDataObject;
	readonly total: Amount;
	readonly refunded: Amount;
	/** The amount of each refund; missing if the refund records don't add up to the refunded amount. */
	readonly refunds?: readonly Amount[] | undefined;
	/** Part of messages: says which source of the refund total counts, if they differ. Otherwise empty. */
	readonly remark: string;
	/** Removes card numbers and tokens of the charge: the service's words about its refund can repeat them. */
	readonly redact: (text: string) => string;
}

export const leftOf = ({ total, refunded }: ChargeBalance): Amount => total.minus(refunded);

/**
 * Reads a charge by GET /v1/charges?id=… (docs/service.md, Charges). If the refund records add up to more than its refund
 * total, they count: less is left to refund, and nothing is refunded twice.
 *
 * @throws {ReportedError} when there is no such charge, or its amounts can't be read
 */
export async function readChargeBalance(transport: Transport, id: string): Promise<ChargeBalance> {
	const charge = await findRow(transport, ENDPOINTS.chargeList, 'charge', id);
	const total = readable(Amount.read(charge['total']), id, 'total');
	const read = readRefunded(charge);
	const stated = readable(read.total, id, 'refund total');
	const recorded = readable(read.recorded, id, 'refund records');
	const refunded = recorded.isMoreThan(stated) ? recorded : stated;
	const refunds = (read.records ?? []).flatMap(({ amount }) => amount ?? []);
	const secrets = secretsOf(charge);
	const currency = plainText(charge['currency']).trim();
	const isContradictory = read.records !== undefined && !recorded.equals(stated);
	const remark = ` (its refund_total is ${stated.text}, but its refund records add up to ${recorded.text}: the larger one counts)`;
	return {
		id,
		// Only a currency code is shown: any other text can be card data.
		currency: /^[a-z]{3}$/i.test(currency) ? currency : '',
		owner:
			toItems([charge], { apiKey: transport.apiKey, fields: ['reference_id', 'payer_name'] })[0] ??
			{},
		total,
		refunded,
		...(recorded.equals(refunded) ? { refunds } : {}),
		remark: isContradictory ? remark : '',
		redact: (text) => withoutSecrets(text, secrets),
	};
}

function readable(amount: Amount | undefined, id: string, field: string): Amount {
	if (amount !== undefined && amount.units >= 0n) return amount;
	throw new ReportedError(
		`The ${field} of charge ${id} can’t be read, so the amount left to refund is unknown`,
		'No refund was sent. Refund this charge directly in the payment collection service.',
	);
}

/** True if the charge has one more refund of this amount or, without refund records, a total grown by it. */
export function showsRefund(after: ChargeBalance, before: ChargeBalance, amount: Amount): boolean {
	if (before.refunds === undefined || after.refunds === undefined) {
		return after.refunded.minus(before.refunded).equals(amount);
	}
	const ofAmount = (refunds: readonly Amount[]): number =>
		refunds.filter((one) => one.equals(amount)).length;
	return ofAmount(after.refunds) > ofAmount(before.refunds);
}

export function refundResult(after: ChargeBalance, amount: Amount, message: string): IDataObject {
	// ISO 4217 does not list every currency. The charge's total then shows the number of digits.
	const digits = currencyDigits(after.currency) ?? after.total.scale;
	const inCurrency = (value: Amount): string => value.withScale(digits).text;
	return {
		charge_id: after.id,
		amount: inCurrency(amount),
		currency: after.currency,
		message,
		refund_total: inCurrency(after.refunded),
		remaining: inCurrency(leftOf(after)),
		...after.owner,
	};
}
