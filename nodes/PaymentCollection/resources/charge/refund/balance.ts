import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../../contract/endpoints';
import { ReportedError } from '../../../../shared/errors/failures';
import { textsOf } from '../../../../shared/errors/messageKind';
import {
	addAmounts,
	amountText,
	compareAmounts,
	readAmount,
	subtractAmounts,
	type Amount,
} from '../../../../shared/money';
import { isMissingTotal, recordedTotal } from '../../../../shared/charges/refundTotal';
import { isRecord } from '../../../../shared/isRecord';
import { plainText } from '../../../../shared/plainText';
import { envelopeOf } from '../../../../shared/service/answers';
import { secretsOf } from '../../../../shared/redaction/redactRecord';
import { withoutSecrets, type Secrets } from '../../../../shared/redaction/secretTexts';
import type { Transport } from '../../../../shared/service/transport';
import { notFound, rowsOf } from '../../../run/findRecord';
import { REFUND_MESSAGES } from './messages';

/** What this process knows of a charge's refunds beside what the service's list shows, which may lag behind. */
export interface KnownRefunds {
	/** The refund total after the last refund that is known to have been carried out. */
	refundTotal: Amount;
	/** Sum of the refunds of this process that are known to have been carried out. */
	refundedHere: Amount;
}

/** What a charge holds at one moment; money as exact decimals in the charge's currency. */
export interface ChargeBalance {
	readonly id: string;
	readonly currency: string;
	readonly total: Amount;
	readonly refunded: Amount;
	readonly left: Amount;
	/** What of `refunded` this process is known to have refunded. */
	readonly refundedHere: Amount;
	/** Card numbers and tokens of the charge: what the service says of its refund may repeat them. */
	readonly secrets?: Secrets;
	/** What the list shows as refunded, when that is less than what this process knows of. */
	readonly listTotal?: Amount;
}

/**
 * Reads a charge by GET /v1/charges?id=… (docs/service.md, Charges): reading a single charge is not
 * shown, so the list is filtered, by the ID alone, and the row with this ID taken from what comes.
 *
 * @throws {ReportedError} when there is no such charge, or what it holds can't be read
 */
export async function readChargeBalance(
	transport: Transport,
	known: KnownRefunds,
	id: string,
): Promise<ChargeBalance> {
	const request = { endpoint: ENDPOINTS.chargeList, qs: { id } };
	const { results } = envelopeOf(await transport.send(request), request);
	const rows = results.filter(isRecord) as IDataObject[];
	const [charge, ...copies] = rowsOf(rows, id).map((row) => readRow(row, id));
	if (charge === undefined) throw notFound('charge', id, rows.length);
	if (!copies.every((copy) => isSame(copy, charge))) throw new ContradictoryCharge(id);
	const { currency, total, listTotal } = charge;
	// The list may not show yet what was refunded just now.
	const isListBehind = compareAmounts(known.refundTotal, listTotal) > 0;
	const refunded = isListBehind ? known.refundTotal : listTotal;
	return {
		id,
		currency,
		total,
		refunded,
		left: subtractAmounts(total, refunded),
		refundedHere: known.refundedHere,
		secrets: secretsOf(rows),
		...(isListBehind ? { listTotal } : {}),
	};
}

/** What one row of the list says of a charge. */
interface ChargeRow {
	readonly currency: string;
	readonly total: Amount;
	readonly listTotal: Amount;
}

function readRow(charge: IDataObject, id: string): ChargeRow {
	const total = readAmount(charge['total']);
	if (total === undefined || total.units < 0n) throw unreadable(id, 'total');
	const listTotal = refundTotal(charge);
	if (listTotal === undefined || listTotal.units < 0n) throw unreadable(id, 'refund total');
	return { currency: plainText(charge['currency']), total, listTotal };
}

const isSame = (one: ChargeRow, other: ChargeRow): boolean =>
	one.currency === other.currency &&
	compareAmounts(one.total, other.total) === 0 &&
	compareAmounts(one.listTotal, other.listTotal) === 0;

/** The list gave a charge more than once, with different money: nobody knows which of the rows is right. */
export class ContradictoryCharge extends ReportedError {
	constructor(id: string) {
		super(...textsOf(REFUND_MESSAGES.contradictoryCharge, { id }));
	}
}

/** What the service says of a charge, without what the charge holds: it may repeat that. */
export const withoutSecretsOf = ({ secrets }: ChargeBalance, text: string): string =>
	secrets === undefined ? text : withoutSecrets(text, secrets);

/** The balance after a refund of `amount` that the service has confirmed. */
export function balanceAfter(before: ChargeBalance, amount: Amount): ChargeBalance {
	const refunded = addAmounts(before.refunded, amount);
	return { ...before, refunded, left: subtractAmounts(before.total, refunded) };
}

/**
 * refund_total, or what the refund records add up to where it is missing or less; undefined when it can't be read: what is
 * left to refund is then not known.
 */
function refundTotal({ refund_total: stated, refunds }: IDataObject): Amount | undefined {
	const recorded = recordedTotal(refunds);
	if (isMissingTotal(stated)) return recorded;
	const total = readAmount(stated);
	if (total === undefined || total.units < 0n || recorded === undefined) return total;
	// Of two figures that contradict each other, the greater one refunds nothing twice.
	return compareAmounts(recorded, total) > 0 ? recorded : total;
}

function unreadable(id: string, field: string): ReportedError {
	return new ReportedError(...textsOf(REFUND_MESSAGES.unreadableCharge, { id, field }));
}

/** Why more counts as refunded than the service's list shows; empty when it does not. */
export const lagText = ({ listTotal, currency }: ChargeBalance): string =>
	listTotal === undefined
		? ''
		: ` The list still shows ${amountText(listTotal)} ${currency}: the service confirmed the rest to this n8n process a short while ago.`;
