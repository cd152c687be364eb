import type { IDataObject } from 'n8n-workflow';
import { ReportedError } from '../../../../shared/errors/failures';
import { textsOf } from '../../../../shared/errors/messageKind';
import { NOTHING, amountText, compareAmounts } from '../../../../shared/money';
import type { Item } from '../../../run/item';
import type { AttemptKey } from '../../../writes/attemptLedger';
import type { ChargeBalance } from './balance';
import type { ChargeLedger, OpenRefund } from './chargeLedger';
import { REFUND_MESSAGES } from './messages';
import { holdText } from './reconcile';
import type { RefundRequest } from './request';
import { refundResult } from './result';

const ASKED_AGAIN =
	'Refunded, by an earlier call: its answer was lost, and reading the charge again shows the refund. Nothing more was sent.';

/**
 * A refund of as much as an earlier one whose outcome was told to be UNKNOWN, and which the charge shows by now: whoever
 * asks for it in another run (again a call of an agent's tool, an execution that is retried, a loop over what failed)
 * most likely means the earlier one. Items of one run, a look at the refund total and different Idempotency Keys say
 * that they do not.
 *
 * @returns a record for an agent's model, of the earlier refund, and with Return Existing, of the charge as it is;
 * undefined when this is another refund
 * @throws {ReportedError} for anybody else
 */
export function askedAgain(
	{ isTool }: Item,
	key: AttemptKey,
	request: RefundRequest,
	ledger: ChargeLedger,
	balance: ChargeBalance,
): IDataObject | undefined {
	const earlier = ledger.turnedUp.find((one) => isSame(one, key, request, isTool));
	if (earlier === undefined) return undefined;
	if (isTool) {
		// Told of it, a model that asks once more means another one.
		ledger.turnedUp = ledger.turnedUp.filter((one) => one !== earlier);
		return refundResult(balance, earlier.amount, ASKED_AGAIN);
	}
	const { id, currency } = balance;
	const refunded = amountText(balance.refunded);
	const facts = {
		id,
		refunded,
		earlier: `${amountText(earlier.amount)} ${currency}`,
		until: holdText(earlier),
	};
	const [message, advice] = textsOf(REFUND_MESSAGES.earlierShown, facts);
	if (request.onAlreadyRefunded !== 'returnExisting') throw new ReportedError(message, advice);
	return refundResult(
		balance,
		NOTHING,
		`Not refunded again: ${refunded} ${currency} of charge ${id} is refunded already, ${facts.earlier} of it by an earlier run whose answer was lost.`,
	);
}

function isSame(
	{ attempt, amount, before, hasKey }: OpenRefund,
	{ run }: AttemptKey,
	{ amount: asked, expectedRefundTotal: expected, keyOptions }: RefundRequest,
	isTool: boolean,
): boolean {
	// All that was left is the same, whether it was called so or by its amount.
	const wanted = asked === 'full' ? before.left : asked.amount;
	const isExpected = expected === undefined || compareAmounts(expected, before.refunded) === 0;
	// A model may make up another key each time.
	const areKeysDifferent = !isTool && hasKey && keyOptions !== undefined;
	return (
		attempt.run !== run && compareAmounts(amount, wanted) === 0 && isExpected && !areKeysDifferent
	);
}
