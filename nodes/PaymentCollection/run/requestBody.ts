import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/errors/inputError';
import type { Item } from './item';

/** "={{ $value.item }}" in a field's routing: of a fixed collection only the list of its entries is sent. */
const PART_OF_VALUE = /^=\{\{ \$value\.(\w+) \}\}$/;

/**
 * The body as the fields declare it (`routing.send`), with the values that the user gave for this item. What n8n's own
 * routing does for a declarative node, for every way of running one.
 *
 * @returns values as given, by their names in the service; none is checked yet
 */
export function collectBody(
	fields: readonly INodeProperties[],
	parameter: Item['parameter'],
): IDataObject {
	const body: IDataObject = {};
	const add = ({ name, type, routing, options }: INodeProperties, value: unknown): void => {
		const { type: place, property, value: part } = routing?.send ?? {};
		if (place === 'body' && property !== undefined) {
			body[property] = partOf(value, part) as IDataObject[string];
		}
		if (type !== 'collection' || value === undefined || value === null) return;
		if (typeof value !== 'object' || Array.isArray(value)) {
			throw new InputError(`${name} must be a collection of fields, as the editor makes it`);
		}
		for (const option of options ?? []) {
			if (isField(option) && option.name in value) {
				add(option, (value as IDataObject)[option.name]);
			}
		}
	};
	for (const field of fields) {
		if (declaresBody(field)) add(field, parameter(field.name));
	}
	return body;
}

type Option = NonNullable<INodeProperties['options']>[number];

const isField = (option: Option): option is INodeProperties => 'type' in option;

/** Whether the field, or one inside of it, goes into the body: no other parameter is evaluated for it. */
function declaresBody({ routing, type, options }: INodeProperties): boolean {
	if (routing?.send?.type === 'body') return true;
	return type === 'collection' && (options ?? []).filter(isField).some(declaresBody);
}

function partOf(value: unknown, part: string | undefined): unknown {
	if (part === undefined) return value;
	const [, name = ''] = PART_OF_VALUE.exec(part) ?? [];
	return typeof value === 'object' && value !== null ? (value as IDataObject)[name] : undefined;
}
