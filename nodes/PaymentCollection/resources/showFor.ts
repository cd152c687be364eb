import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { traceExpressions } from '../../shared/input/wholeExpressions';

/** Shows fields for one operation of one resource; said once per file, not once per field. */
export function showFor(
	resource: string,
	operation: string,
	fields: readonly INodeProperties[],
): INodeProperties[] {
	const displayOptions: IDisplayOptions = {
		show: { resource: [resource], operation: [operation] },
	};
	return traceExpressions(fields).map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...displayOptions.show, ...field.displayOptions?.show },
		},
	}));
}
