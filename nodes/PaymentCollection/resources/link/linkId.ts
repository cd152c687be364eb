import { inPath, type Field } from '../../../shared/fields/field';
import { textThat } from '../../../shared/fields/kinds';
import { checkUuid } from '../../../shared/input/inputChecks';

/** The link that an operation is about. */
export const linkIdField: Field<string> = {
	displayName: 'Payment Link ID',
	name: 'linkId',
	...textThat(checkUuid),
	default: '',
	required: true,
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
	description: 'UUID of the payment link, the ID in the output of Create',
	sent: inPath,
};
