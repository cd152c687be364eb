import type { Field } from './field';
import { trueOrFalse } from './kinds';

/** Whether whole records leave a node, or the fields that matter most. */
export const simplifyField = {
	displayName: 'Simplify',
	name: 'simplify',
	...trueOrFalse,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field<boolean>;
