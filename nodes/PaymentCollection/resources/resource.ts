import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { inTool, propertiesOf } from '../../shared/fields/field';
import { byName } from '../../shared/values';
import { runItems } from '../run/runItems';
import { routed, unknownOperation } from '../run/declarative';
import { fieldsOf, type OperationDefinition } from '../operation';

type Resource = ReturnType<typeof resource>;

/** @param operations by the values that workflows save, in alphabetical order of their names, as n8n shows them */
export function resource<Names extends string>(
	{ name, value }: { name: string; value: string },
	operations: Readonly<Record<Names, OperationDefinition>>,
	defaultOperation: NoInfer<Names>,
) {
	const entries = Object.entries<OperationDefinition>(operations);
	const properties: INodeProperties[] = [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: entries.map(([operation, definition]) => ({
				name: definition.name,
				value: operation,
				description: definition.description,
				action: definition.action,
				routing: routed(definition),
			})),
			default: defaultOperation,
		},
		...entries.flatMap(([operation, definition]) =>
			updateDisplayOptions({ show: { resource: [value], operation: [operation] } }, [
				...(definition.write === undefined ? [] : [toolNotice(definition.write.toolNotice)]),
				...propertiesOf(fieldsOf(definition)),
			]),
		),
	];
	const customOperations = byName(
		entries.map(([operation, definition]) => [
			operation,
			async function (this: IExecuteFunctions) {
				return await runItems(this, definition);
			},
		]),
	);
	return { name, value, operations, properties, customOperations };
}

const toolNotice = (text: string): INodeProperties => ({
	displayName: text,
	name: 'toolNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: inTool(true) },
});

export const propertiesOfAll = (resources: readonly Resource[]): INodeProperties[] => [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'link',
		routing: unknownOperation,
	},
	...resources.flatMap(({ properties }) => properties),
];
