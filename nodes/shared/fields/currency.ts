import { CURRENCIES } from '../../../contract/currencies.generated';
import { checkCurrency } from '../input/inputChecks';

/** Active ISO 4217 codes with names, for a list that the editor lets the user search. */
const CURRENCY_OPTIONS = CURRENCIES.map(({ code, name }) => ({
	name: `${code} - ${name}`,
	value: code,
}));

/** An expression may give any code. */
export const currencyKind = {
	type: 'options',
	options: CURRENCY_OPTIONS,
	default: '',
	description: 'ISO 4217 code of the currency. An expression may give any three letters.',
	check: (value: unknown, field: string) => checkCurrency(value, field),
} as const;
