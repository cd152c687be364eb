import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { toNodeError } from '../../shared/errors/failures';
import { toRecordItem } from '../../shared/records/recordItem';
import type { ToItem } from '../../shared/records/recordItem';
import type { Item } from './item';

/** Records as n8n items: without secrets, and linked to the input item that they came from. */
export function toOutput(
	item: Item,
	records: readonly IDataObject[],
	toItem: ToItem = toRecordItem,
): INodeExecutionData[] {
	const isOn = (name: string): boolean =>
		[true, 'true'].includes(item.parameter(name, false) as boolean);
	const options = {
		apiKey: item.transport.apiKey,
		includeSensitiveData: isOn('options.includeSensitiveData'),
		simplify: isOn('simplify'),
	};
	return records.map((record) => ({
		json: toItem(record, options),
		pairedItem: { item: item.index },
	}));
}

/**
 * A failed item under On Error: Continue. The only keys are those by which n8n knows an error item for its error
 * output; an `error` beside `json` would make n8n drop the details and, on the error output, the input's fields.
 */
export function toErrorOutput(error: unknown, node: INode, index: number): INodeExecutionData {
	const nodeError = toNodeError(error, node, index);
	const description = 'description' in nodeError ? nodeError.description : undefined;
	return {
		json: {
			error: nodeError.message,
			details: {
				itemIndex: index,
				...(typeof description === 'string' ? { description } : {}),
				...(nodeError instanceof NodeApiError && nodeError.httpCode !== 'none'
					? { httpCode: nodeError.httpCode }
					: {}),
			},
		},
		pairedItem: { item: index },
	};
}
