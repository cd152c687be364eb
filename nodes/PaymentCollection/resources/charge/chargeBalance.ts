import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import { DEFAULT_PAGE_SIZE } from '../../../../contract/limits';
import { ReportedError } from '../../../shared/failures';
import { readPage } from '../../../shared/listPage';
import {
	NOTHING,
	addAmounts,
	compareAmounts,
	readAmount,
	subtractAmounts,
} from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import { plainText } from '../../../shared/plainText';
import type { Transport } from '../../../shared/transport';
import type { ChargeNotes } from './refundNotes';

/** What a charge holds at one moment; money as exact decimals in the charge's currency. */
export interface ChargeBalance {
	readonly id: string;
	readonly currency: string;
	readonly total: Amount;
	readonly refunded: Amount;
	readonly left: Amount;
	/** What of `refunded` this execution is known to have refunded. */
	readonly refundedHere: Amount;
	/** Whether the service's list does not show yet what this execution has refunded. */
	readonly listIsBehind: boolean;
}

/**
 * Reads a charge by GET /v1/charges?id=… (service-interface.md, section "Endpoints"): reading a single charge is
 * not shown, so the list is filtered and the row with this id taken from what comes.
 *
 * @throws {ReportedError} when there is no such charge, or its total can't be read
 */
export async function readChargeBalance(
	transport: Transport,
	notes: ChargeNotes,
	id: string,
): Promise<ChargeBalance> {
	const { rows } = await readPage(
		transport,
		{ endpoint: ENDPOINTS.chargeList, filters: { id } },
		1,
		DEFAULT_PAGE_SIZE,
	);
	const charge = rows.find((row) => plainText(row.id).toLowerCase() === id.toLowerCase());
	if (charge === undefined) throw notFound(id, rows.length);
	const total = readAmount(charge.total);
	if (total === undefined) {
		throw new ReportedError(
			`The total of charge ${id} can’t be read, so what is left to refund is not known`,
			'No refund was sent.',
		);
	}
	const shown = refundTotal(charge);
	const listIsBehind = compareAmounts(notes.refundTotal, shown) > 0;
	const refunded = listIsBehind ? notes.refundTotal : shown;
	return {
		id,
		currency: plainText(charge.currency),
		total,
		refunded,
		left: subtractAmounts(total, refunded),
		refundedHere: notes.refundedHere,
		listIsBehind,
	};
}

/** The balance after a refund of `amount` that the service has confirmed. */
export function balanceAfter(before: ChargeBalance, amount: Amount): ChargeBalance {
	const refunded = addAmounts(before.refunded, amount);
	return { ...before, refunded, left: subtractAmounts(before.total, refunded) };
}

function notFound(id: string, others: number): ReportedError {
	return others === 0
		? new ReportedError(
				`There is no charge with the ID ${id}`,
				'No refund was sent. Check the ID, and whether it belongs to the account of the credential.',
			)
		: new ReportedError(
				`Charge ${id} can’t be found: asked for this ID alone, the service gave ${others} other charges`,
				'No refund was sent. The service seems to ignore the id filter of its charge list.',
			);
}

/** refund_total, or what the refund records add up to where it is missing. */
function refundTotal({ refund_total: stated, refunds }: IDataObject): Amount {
	const records = Array.isArray(refunds) ? (refunds as Array<{ amount?: unknown }>) : [];
	return (
		readAmount(stated) ??
		records.reduce((sum, { amount }) => addAmounts(sum, readAmount(amount) ?? NOTHING), NOTHING)
	);
}
