import { InputError, notOfKind, quoted, quotedText } from '../errors/reportedError';
import { Amount, MAX_AMOUNT_LENGTH, USUAL_DIGITS, currencyDigits } from '../money';
import { asSeen } from '../values';

/** A double keeps any 15 decimal digits; in 90071992547409.91 it loses the cents. */
const EXACT_DIGITS = 15;
const THOUSANDS_DIGITS = 3;

interface MoneyChecks {
	readonly currency?: string;
	/** Decimal places of a currency that ISO 4217 does not list, if known. */
	readonly digits?: number;
	readonly positive?: boolean;
}

/**
 * Turns text or a number into an exact amount. Decimal places beyond the currency's own (ISO 4217) are refused unless they are
 * zeros; a currency that ISO does not list can have any number of places unless `digits` is given. The text 1.000 can mean a
 * thousand: it is accepted only for a currency with at least three decimal places, such as KWD, or while the currency is unknown.
 *
 * @throws {InputError} naming the field and the value
 */
export function checkMoney(
	value: unknown,
	label: string,
	{ currency = '', digits: digitsIfUnlisted, positive = false }: MoneyChecks = {},
): Amount {
	const given = readMoney(value, label);
	if (given.units < 0n) throw notOfKind(value, label, 'not be negative');
	if (positive && given.units === 0n) throw notOfKind(value, label, 'be greater than 0');
	const hasGroup = given.scale === THOUSANDS_DIGITS && given.units >= 10n ** BigInt(given.scale);
	const mayMeanThousand = typeof value === 'string' && hasGroup;
	const assumed = mayMeanThousand && currency !== '' ? USUAL_DIGITS : given.scale;
	const digits = currencyDigits(currency) ?? digitsIfUnlisted ?? assumed;
	const amount = given.withDigits(digits);
	if (amount === undefined || (mayMeanThousand && digits < THOUSANDS_DIGITS)) {
		const message = `${label} is ${quoted(given.text)}: it has ${given.scale} decimal places, and ${currency.trim() || 'the currency'} has ${digits}`;
		const isNumber = typeof value === 'number';
		throw new InputError(
			message,
			mayMeanThousand ? groupAdvice(given, amount) : isNumber ? ROUND : undefined,
		);
	}
	const { units } = amount.withScale(digits);
	const isInexact = typeof value === 'number' && units.toString().length > EXACT_DIGITS;
	if (isInexact) throw tooManyDigits(value, label);
	return amount;
}

function groupAdvice({ units }: Amount, amount: Amount | undefined): string {
	const decimal = amount === undefined ? 'it with fewer decimal places' : amount.text;
	return `If the point is a thousands separator, enter ${quotedText(String(units))}. If it is a decimal point, enter ${quotedText(decimal)}. Nothing was sent.`;
}

const ROUND =
	'Round the result of the calculation, as in {{ (0.1 + 0.2).toFixed(2) }}, or enter the amount as text. Nothing was sent.';

/** A large number has lost digits, and 0.30000000000000004 has too many from a calculation. */
const tooManyDigits = (value: number, label: string): InputError =>
	new InputError(
		`${label} is ${quoted(value)}: a number is exact to ${EXACT_DIGITS} digits, including decimals, and this one has more`,
		ROUND,
	);

const DECIMAL = 'be a decimal number such as 12.50';
const IN_DIGITS =
	'Use digits and at most one decimal point: no thousands separators, no comma, no exponent, no currency sign. Nothing was sent.';

function readMoney(value: unknown, label: string): Amount {
	if (value === undefined || value === null) throw new InputError(`${label} is missing`);
	if (typeof value !== 'string' && typeof value !== 'number')
		throw notOfKind(value, label, DECIMAL);
	const amount = Amount.read(typeof value === 'string' ? asSeen(value) : value);
	if (amount !== undefined) return amount;
	if (typeof value === 'number' && Number.isFinite(value)) throw tooManyDigits(value, label);
	if (typeof value === 'string' && value.trim() === '') throw new InputError(`${label} is empty`);
	if (typeof value === 'string' && value.trim().length > MAX_AMOUNT_LENGTH) {
		throw new InputError(
			`${label} is ${value.trim().length} characters long: the limit is ${MAX_AMOUNT_LENGTH}`,
		);
	}
	throw notOfKind(value, label, DECIMAL, IN_DIGITS);
}
