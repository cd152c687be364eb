import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { personName } from '../../shared/listSearch/searchCustomers';
import { NOTHING, compareAmounts, readAmount } from '../../shared/money';
import { plainText, isRecord } from '../../shared/values';

/**
 * The parts of what the user sees of a charge: "84.50 EUR · Ana Ruiz · 3 Nov · captured · 20.00 refunded". Beside one
 * that looks the same: "84.50 EUR · Ana Ruiz · 3 Nov 09:15 · captured · #1042". The time is in the middle, since n8n cuts
 * off the end of a long row.
 *
 * @param timeZone IANA name of n8n's time zone
 */
export const chargeLabel =
	(timeZone: string, { isCloser }: { readonly isCloser: boolean }) =>
	(charge: IDataObject): string[] => {
		const number = plainText(charge['reference_id']);
		const reference = number === '' ? '' : `#${number}`;
		return [
			`${plainText(charge['total'])} ${plainText(charge['currency'])}`.trim(),
			payerOf(charge) || reference,
			whenText(charge, timeZone, isCloser),
			plainText(charge['status']),
			refundedText(charge),
			isCloser ? reference : '',
		];
	};

/** Milliseconds since the epoch; NaN where a charge does not say. */
export const createdAt = (charge: IDataObject): number => Date.parse(plainText(charge['created']));

/**
 * Who paid: the holder of the card. Whether `user` is the payer or whoever took the payment is not documented, so it
 * stands in only where the payment source names nobody.
 */
function payerOf({ source, user }: IDataObject): string {
	const { card_holder_name: holder, name } = (isRecord(source) ? source : {}) as IDataObject;
	const ofSource = plainText(holder).trim() || plainText(name).trim();
	return ofSource || (isRecord(user) ? personName(user as IDataObject) : '');
}

/** "3 Nov", with its year when that is not the present one, and "09:15" if wanted and known; empty for no moment. */
function whenText(charge: IDataObject, timeZone: string, withTime: boolean): string {
	const ms = createdAt(charge);
	if (Number.isNaN(ms)) return '';
	const { day, month, year, hour, minute } = partsIn(timeZone, ms);
	const isThisYear = year === partsIn(timeZone, clock.now()).year;
	// A day alone has no time.
	const hasTime = withTime && /\d:\d/.test(plainText(charge['created']));
	return `${day} ${month}${isThisYear ? '' : ` ${year}`}${hasTime ? ` ${hour}:${minute}` : ''}`;
}

/** The parts of a moment by their names. */
function partsIn(
	timeZone: string,
	ms: number,
): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
	const parts = new Intl.DateTimeFormat('en-US', { timeZone, ...DATE_FORM }).formatToParts(ms);
	return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

const DATE_FORM = {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	hourCycle: 'h23',
} as const;

function refundedText({ refund_total: total }: IDataObject): string {
	const amount = readAmount(total);
	const isNothing = amount === undefined || compareAmounts(amount, NOTHING) <= 0;
	return isNothing ? '' : `${plainText(total)} refunded`;
}
