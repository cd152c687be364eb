import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Children = NonNullable<INodeProperties['options']>;

const isField = (entry: Children[number]): entry is INodeProperties => 'type' in entry;
const isGroup = (entry: Children[number]): entry is INodePropertyCollection => 'values' in entry;
const isChoice = (entry: Children[number]): entry is INodePropertyOptions => 'value' in entry;

export const choicesIn = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter(isChoice);

/** Every field at every depth by its path: `filters.currency`, `items.item[].name`. */
export function allFields(
	fields: INodeProperties[],
	prefix = '',
): Array<[string, INodeProperties]> {
	return fields.flatMap((field): Array<[string, INodeProperties]> => {
		const { options = [] } = field;
		const path = prefix + field.name;
		const many = field.typeOptions?.multipleValues === true ? '[]' : '';
		return [
			[path, field],
			...allFields(options.filter(isField), `${path}.`),
			...options
				.filter(isGroup)
				.flatMap(({ name, values }) => allFields(values, `${path}.${name}${many}.`)),
		];
	});
}

/** The operations that a field is shown for, such as "charge getAll". */
export const shownFor = ({ displayOptions: { show = {} } = {} }: INodeProperties): string[] => {
	const [resources, operations] = ['resource', 'operation'].map((name) =>
		(show[name] ?? []).map(String),
	);
	return (resources ?? []).flatMap((resource) =>
		(operations ?? []).map((operation) => `${resource} ${operation}`),
	);
};
