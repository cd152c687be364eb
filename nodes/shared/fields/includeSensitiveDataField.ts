import type { Field } from './field';
import { trueOrFalse } from './kinds';

/** docs/service.md, Charges: card data and tokens are sensitive. */
export const includeSensitiveDataField = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitiveData',
	...trueOrFalse,
	default: false,
	hint: 'Whoever may see the executions of the workflow sees them too',
	description:
		'Whether to keep card data and payment tokens in the output, where n8n stores them with the execution. Security codes are always removed.',
} as const satisfies Field<boolean>;
