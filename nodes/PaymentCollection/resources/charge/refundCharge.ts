import type { IDataObject } from 'n8n-workflow';
import { ENDPOINTS } from '../../../../contract/endpoints';
import type { RefundResult } from '../../../../contract/schemas/outputs';
import { InputError } from '../../../shared/inputError';
import { checkOneOf, checkUuid, isNothing } from '../../../shared/inputChecks';
import { ReportedError, ServiceFailure, failureTexts } from '../../../shared/failures';
import {
	amountText,
	compareAmounts,
	currencyDigits,
	moneyToSend,
	readAmount,
	subtractAmounts,
} from '../../../shared/money';
import type { Amount } from '../../../shared/money';
import { plainText } from '../../../shared/plainText';
import type { Item } from '../../run/item';
import { WriteMemory } from '../../run/writeMemory';
import type { WriteSlot } from '../../run/writeMemory';
import { balanceAfter, readChargeBalance } from './chargeBalance';
import type { ChargeBalance } from './chargeBalance';
import { settleRefund } from './settleRefund';
import type { UnsettledRefund } from './settleRefund';

/** What to do when somebody refunded since Expected Refund Total was known. */
export const ALREADY_REFUNDED_CHOICES = ['fail', 'returnExisting'] as const;

interface RefundRequest {
	readonly chargeId: string;
	/** As it was given; its digits are checked once the charge's currency is known. */
	readonly amount: unknown;
	readonly maximumAmount: Amount | undefined;
	readonly expectedRefundTotal: Amount | undefined;
	readonly onAlreadyRefunded: string;
}

const outcomes = new WriteMemory<UnsettledRefund>();

/**
 * Refunds one charge (service-interface.md, POST /v1/charges/{id}/refund): reads it, refuses what can't be right
 * before anything is sent, sends the refund at most once per item whatever Retry On Fail does, and after a lost
 * answer reads the charge again to tell what happened. Refunds of one run go strictly one after another.
 *
 * @returns one record: charge_id, amount, currency, message, refund_total and remaining after the refund
 */
export async function refundCharge(item: Item): Promise<IDataObject[]> {
	const request = readRefundRequest(item);
	return [await item.transport.scope.oneAtATime(async () => await refundOnce(item, request))];
}

/** One refund in words, for the error of a later item. */
export const describeRefund = ({ amount, currency, charge_id: id }: IDataObject): string =>
	`${plainText(amount)} ${plainText(currency)} of charge ${plainText(id)} refunded`;

/** Everything that can be checked without asking the service. */
function readRefundRequest(item: Item): RefundRequest {
	const amount = item.parameter('amount');
	const toSend = amountOf(moneyToSend(amount, 'Amount', { positive: true }));
	const maximumAmount = optionalMoney(item.parameter('options.maximumAmount'), 'Maximum Amount');
	if (maximumAmount !== undefined && compareAmounts(toSend, maximumAmount) > 0) {
		throw new InputError(
			`Amount is ${amountText(toSend)}: more than the Maximum Amount of ${amountText(maximumAmount)}`,
			'Nothing was refunded.',
		);
	}
	return {
		chargeId: checkUuid(item.parameter('chargeId'), 'Charge'),
		amount,
		maximumAmount,
		expectedRefundTotal: optionalMoney(
			item.parameter('options.expectedRefundTotal'),
			'Expected Refund Total',
		),
		onAlreadyRefunded: checkOneOf(
			item.parameter('options.onAlreadyRefunded', 'fail'),
			'On Already Refunded',
			ALREADY_REFUNDED_CHOICES,
		),
	};
}

async function refundOnce(item: Item, request: RefundRequest): Promise<IDataObject> {
	const { transport } = item;
	const endpoint = ENDPOINTS.chargeRefund;
	const slot = item.writeSlot({
		endpoint,
		id: request.chargeId,
		body: { amount: plainText(request.amount) },
	});
	const known = outcomes.recall(slot);
	if (known?.state === 'done') return known.result;

	if (known?.state === 'unknown') return await settle(item, slot, known.about);

	const before = await readChargeBalance(transport, request.chargeId).catch(
		notRefunded(request.chargeId),
	);
	if (isRefundedMeanwhile(before, request)) return existingRefund(before, request);
	const text = checkAgainstCharge(request.amount, before);
	const unsettled: UnsettledRefund = { before, amount: amountOf(text) };
	// Before the request goes out, so that no error, whatever its kind, can make a sent refund look unsent.
	outcomes.remember(slot, { state: 'unknown', about: unsettled });
	const answer = await transport
		.send({ endpoint, id: before.id, body: { amount: text } })
		.catch(lostAnswer);
	if (answer instanceof ServiceFailure) {
		if (answer.failure.notExecuted) {
			outcomes.forget(slot);
			return notRefunded(before.id)(answer);
		}
		const about = { ...unsettled, failure: answer.failure };
		outcomes.remember(slot, { state: 'unknown', about });
		return await settle(item, slot, about);
	}
	const message = readMessage(answer);
	return message === undefined
		? await settle(item, slot, unsettled)
		: done(item, slot, unsettled, message);
}

/** A failed request is what has to be settled; anything else, a cancelled execution too, ends the run. */
function lostAnswer(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/** Finds out what became of a refund whose answer was lost, in this try or in an earlier one of the same run. */
async function settle(
	item: Item,
	slot: WriteSlot,
	unsettled: UnsettledRefund,
): Promise<IDataObject> {
	await settleRefund(item.transport, unsettled);
	const message = 'Refunded: the answer was lost, and reading the charge again shows the refund.';
	return done(item, slot, unsettled, message);
}

function done(
	item: Item,
	slot: WriteSlot,
	{ before, amount }: UnsettledRefund,
	message: string,
): IDataObject {
	const result = resultRecord(balanceAfter(item.transport, before, amount), amount, message);
	outcomes.remember(slot, { state: 'done', result });
	return result;
}

/** The message of a proper answer, which may be missing; undefined when the answer is no proper one. */
function readMessage(answer: unknown): string | undefined {
	if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
	return 'message' in answer ? String(answer.message) : '';
}

function isRefundedMeanwhile(
	{ refunded: total }: ChargeBalance,
	{ expectedRefundTotal }: RefundRequest,
): boolean {
	return expectedRefundTotal !== undefined && compareAmounts(total, expectedRefundTotal) !== 0;
}

function existingRefund(
	balance: ChargeBalance,
	{ expectedRefundTotal, onAlreadyRefunded }: RefundRequest,
): IDataObject {
	const facts = `${amountText(balance.refunded)} ${balance.currency} of charge ${balance.id} is refunded already, not ${amountText(expectedRefundTotal ?? balance.refunded)} as expected`;
	if (onAlreadyRefunded === 'fail') {
		throw new InputError(
			`Not refunded: ${facts}`,
			'Somebody refunded in the meantime, perhaps an earlier run of this workflow. Nothing was sent. To go on with the charge as it is, set On Already Refunded to Return Existing.',
		);
	}
	const nothing = { units: 0n, scale: 0 };
	return resultRecord(balance, nothing, `Not refunded again: ${facts}.`);
}

/** @returns the amount as text to send, with no more digits than the charge's currency has */
function checkAgainstCharge(
	amount: unknown,
	{ id, currency, total, refunded, left }: ChargeBalance,
): string {
	const text = moneyToSend(amount, 'Amount', { currency, positive: true });
	if (compareAmounts(amountOf(text), left) > 0) {
		throw new InputError(
			`Amount is ${text} ${currency}: more than the ${amountText(left)} ${currency} that are left to refund`,
			`Nothing was refunded. Charge ${id} has a total of ${amountText(total)}, and ${amountText(refunded)} is refunded already.`,
		);
	}
	return text;
}

function resultRecord(after: ChargeBalance, amount: Amount, message: string): RefundResult {
	const inCurrency = (value: Amount): string => {
		const spare = (currencyDigits(after.currency) ?? 0) - value.scale;
		const zeros = { units: 0n, scale: value.scale + Math.max(0, spare) };
		return amountText(subtractAmounts(value, zeros));
	};
	return {
		charge_id: after.id,
		amount: inCurrency(amount),
		currency: after.currency,
		message,
		refund_total: inCurrency(after.refunded),
		remaining: inCurrency(after.left),
	};
}

/** Says of a request that failed before anything was refunded that this is so. */
const notRefunded =
	(id: string) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceFailure)) throw error;
		throw new ReportedError(
			`${error.message} – charge ${id} was NOT refunded`,
			failureTexts(error.failure).advice,
			error.failure,
		);
	};

function optionalMoney(value: unknown, field: string): Amount | undefined {
	return isNothing(value) ? undefined : amountOf(moneyToSend(value, field));
}

/** Of text that was checked. */
function amountOf(text: string): Amount {
	return readAmount(text) ?? { units: 0n, scale: 0 };
}
