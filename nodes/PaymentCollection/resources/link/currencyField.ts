import type { LinkCreate } from '../../../../contract/schemas/link';
import { InputError } from '../../../shared/errors/inputError';
import { currencyKind } from '../../../shared/fields/currency';
import { inBody, type Field } from '../../../shared/fields/field';
import { checkCurrency, isNothing } from '../../../shared/input/inputChecks';

/** The choice that leaves the currency to the credential. */
const BY_CREDENTIAL = 'credential';

/** What a new link is paid in. */
export const currencyField: Field<string> = {
	displayName: 'Currency',
	name: 'currency',
	...currencyKind,
	options: [
		{
			name: 'Default Currency of the Credential',
			value: BY_CREDENTIAL,
			description: 'Open the credential above to see which one that is, or to set it',
		},
		...currencyKind.options,
	],
	default: BY_CREDENTIAL,
	required: true,
	hint: 'Until you choose one, new links are in the Default Currency of the credential above. Where that has none, no link is created.',
	check: (value, field, { defaultCurrency }) =>
		// By this value alone: an empty one is a currency that somebody's data lack, and no default may take its place.
		value === BY_CREDENTIAL
			? currencyOfCredential(defaultCurrency?.(), field)
			: checkCurrency(value, field),
	sent: inBody('currency' satisfies keyof LinkCreate),
};

function currencyOfCredential(currency: unknown, field: string): string {
	if (isNothing(currency)) {
		throw new InputError(
			`${field} is left to the credential, which has no Default Currency`,
			'Choose a Currency in this node, or set Default Currency in the Payment Collection API credential. Nothing was sent.',
		);
	}
	return checkCurrency(
		currency,
		'Default Currency of the credential',
		'Choose another one in the Payment Collection API credential. Nothing was sent.',
	);
}
