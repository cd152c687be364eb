import {
	MAX_CUSTOM_FIELDS,
	MAX_DISCOUNT_PERCENTAGE,
	MAX_NOTE_LENGTH,
	MIN_DISCOUNT_PERCENTAGE,
} from '../../../../contract/constants';
import type { LinkCreate } from '../../../../contract/schemas/link';
import { collection, inBody, type Field } from '../../../shared/fields/field';
import {
	listAsJson,
	listOf,
	requiredText,
	text,
	textThat,
	trueOrFalse,
	wholeNumber,
} from '../../../shared/fields/kinds';
import { checkUrl } from '../../../shared/input/inputChecks';
import { titleField } from './oneLink';

const customFieldName: Field<string> = {
	displayName: 'Name',
	name: 'name',
	...requiredText,
	default: '',
	required: true,
	placeholder: 'e.g. Delivery instructions',
	description: 'Label of the field on the payment page',
};

const CUSTOM_FIELDS = {
	displayName: 'Field',
	name: 'field',
	fields: [customFieldName],
	most: MAX_CUSTOM_FIELDS,
};

const yesOrNo = (name: keyof LinkCreate, byDefault: boolean, whether: string): Field<boolean> => ({
	...inBody<LinkCreate>(name),
	...trueOrFalse,
	default: byDefault,
	description: `Whether ${whether}`,
});

const returnUrl = (
	name: 'failure_url' | 'success_url',
	page: string,
	payment: string,
): Field<string> => ({
	...inBody<LinkCreate>(name),
	...textThat(checkUrl),
	default: '',
	placeholder: `e.g. https://shop.example.com/${page}`,
	description: `URL that the customer is sent to after ${payment}`,
});

const fields: readonly Field[] = [
	yesOrNo(
		'allow_installment_a',
		true,
		'the customer can pay in installments by method A, which the service doesn’t describe',
	),
	yesOrNo(
		'allow_installment_b',
		true,
		'the customer can pay in installments by method B, which the service doesn’t describe',
	),
	yesOrNo('allow_service_fee', true, 'a service fee can be added'),
	yesOrNo('allow_tip', false, 'the customer can add a tip'),
	{
		...inBody<LinkCreate>('custom_fields'),
		...listOf(CUSTOM_FIELDS),
		placeholder: 'Add Custom Field',
		default: {},
		description: `Fields that the buyer fills in on the payment page, at most ${MAX_CUSTOM_FIELDS}`,
	},
	{
		...inBody<LinkCreate>('custom_fields'),
		displayName: 'Custom Fields (JSON)',
		label: 'Custom Fields',
		name: 'customFieldsJson',
		...listAsJson(CUSTOM_FIELDS, '["Delivery instructions", "Size"]'),
		description: `List of at most ${MAX_CUSTOM_FIELDS} custom fields, as JSON or as an expression. Each is a name, or an object with a name. Not together with 'Custom Fields'.`,
	},
	{
		...inBody<LinkCreate>('discount_percentage'),
		...wholeNumber(MIN_DISCOUNT_PERCENTAGE, MAX_DISCOUNT_PERCENTAGE),
		default: 0,
		description: `Percentage taken off the total, a whole number from ${MIN_DISCOUNT_PERCENTAGE} to ${MAX_DISCOUNT_PERCENTAGE}`,
	},
	returnUrl('failure_url', 'failed', 'a failed payment'),
	{
		...inBody<LinkCreate>('note'),
		...text(MAX_NOTE_LENGTH),
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. Bring a laptop',
		description: `Text on the payment page, at most ${MAX_NOTE_LENGTH} characters`,
	},
	yesOrNo('shipping_address_required', false, 'the customer must enter a shipping address'),
	returnUrl('success_url', 'thanks', 'the payment'),
	titleField,
];

export const additionalFields = collection({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add Field',
	entry: 'field',
	// The service has its own default for an empty field.
	whenEmpty: 'leftOut',
	fields,
});
