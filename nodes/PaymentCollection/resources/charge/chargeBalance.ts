import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { DEFAULT_PAGE_SIZE } from '../../../../contract/limits';
import type { ExecutionScope } from '../../../shared/executionScope';
import { ReportedError } from '../../../shared/failures';
import { readPage } from '../../../shared/listPage';
import { addAmounts, compareAmounts, readAmount, subtractAmounts } from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import { plainText } from '../../../shared/plainText';
import type { Transport } from '../../../shared/transport';

/** What a charge holds at one moment; money as exact decimals in the charge's currency. */
export interface ChargeBalance {
	readonly id: string;
	readonly currency: string;
	readonly total: Amount;
	readonly refunded: Amount;
	readonly left: Amount;
}

const NOTHING: Amount = { units: 0n, scale: 0 };

/** What this run of the node itself has refunded so far, should the service's list lag behind its own refunds. */
const refundedInRun = new WeakMap<ExecutionScope, Map<string, Amount>>();

/**
 * Reads a charge by GET /v1/charges?id=… (service-interface.md, section "Endpoints"): reading a single charge is
 * not shown, so the list is filtered and the row with this id taken from what comes.
 *
 * @throws {ReportedError} when there is no such charge, or its total can't be read
 */
export async function readChargeBalance(transport: Transport, id: string): Promise<ChargeBalance> {
	const { rows } = await readPage(
		transport,
		{ endpoint: ENDPOINTS.chargeList, filters: { id } },
		1,
		DEFAULT_PAGE_SIZE,
	);
	const charge = rows.find((row) => plainText(row.id).toLowerCase() === id.toLowerCase());
	if (charge === undefined) {
		throw new ReportedError(
			`Not refunded: there is no charge with the ID ${id}`,
			'Nothing was sent. Check the ID, and whether it belongs to the account of the credential.',
		);
	}
	const total = readAmount(charge.total);
	if (total === undefined) {
		throw new ReportedError(
			`Not refunded: the total of charge ${id} can’t be read, so what is left to refund is not known`,
			'Nothing was sent.',
		);
	}
	const refunded = laterOf(refundTotal(charge), refundedInRun.get(transport.scope)?.get(id));
	return {
		id,
		currency: plainText(charge.currency),
		total,
		refunded,
		left: subtractAmounts(total, refunded),
	};
}

/** The balance after a refund of `amount`, kept for the items of this run that name the same charge. */
export function balanceAfter(
	transport: Transport,
	before: ChargeBalance,
	amount: Amount,
): ChargeBalance {
	const refunded = addAmounts(before.refunded, amount);
	const known = refundedInRun.get(transport.scope) ?? new Map<string, Amount>();
	refundedInRun.set(transport.scope, known.set(before.id, refunded));
	return { ...before, refunded, left: subtractAmounts(before.total, refunded) };
}

/** refund_total, or what the refund records add up to where it is missing. */
function refundTotal({ refund_total: stated, refunds }: IDataObject): Amount {
	const records = Array.isArray(refunds) ? (refunds as Array<{ amount?: unknown }>) : [];
	return (
		readAmount(stated) ??
		records.reduce((sum, { amount }) => addAmounts(sum, readAmount(amount) ?? NOTHING), NOTHING)
	);
}

const laterOf = (read: Amount, known: Amount | undefined): Amount =>
	known !== undefined && compareAmounts(known, read) > 0 ? known : read;
