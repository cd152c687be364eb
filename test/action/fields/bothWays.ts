import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** The same parameters with each value behind an expression, and the item that they are read from. */
export function asExpressions(parameters: INodeParameters): {
	parameters: INodeParameters;
	item: IDataObject;
} {
	const item: IDataObject = {};
	const hide = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(hide);
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([name, entry]) => [
					name,
					['__rl', 'mode'].includes(name) ? (entry as unknown) : hide(entry),
				]),
			);
		}
		const name = `v${Object.keys(item).length}`;
		item[name] = value as IDataObject[string];
		return `={{ $json.${name} }}`;
	};
	return { parameters: hide(parameters) as INodeParameters, item };
}

export const twice = <T>(value: T): T[] => [value, value];
