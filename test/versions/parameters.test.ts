import { isDeepStrictEqual } from 'node:util';

import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import * as newest from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { N8N_LINES } from '../support/n8nLines';

/**
 * n8n resolves a node's parameters in the editor, before saving and before a run. An older n8n-workflow resolves none of
 * them if it can't order their display conditions.
 */

const action = new PaymentCollection().description;
const DESCRIPTIONS: INodeTypeDescription[] = [
	action,
	{ ...action, name: `${action.name}Tool` },
	new PaymentCollectionTrigger().description,
];

const EXPRESSION = '={{ $json.given }}';

const valueOf = (option: object): unknown => Reflect.get(option, 'value');

/** Values that a workflow can contain for a field. */
function valuesFor(field: INodeProperties): unknown[] {
	const options = (field.options ?? []) as INodeProperties[];
	if (field.type === 'options') return options.map(valueOf);
	if (field.type === 'boolean') return [true, false, EXPRESSION];
	if (field.type !== 'collection') return [field.default, EXPRESSION];
	const defaults = Object.fromEntries(options.map((one) => [one.name, one.default ?? 0]));
	return [
		{},
		EXPRESSION,
		defaults,
		...options.flatMap((one) =>
			valuesFor(one).flatMap((value) => [
				{ [one.name]: value },
				{ ...defaults, [one.name]: value },
			]),
		),
	];
}

/** Parameters with one value of one field each, for every operation, or every resource of the trigger. */
function parameterSets({ properties }: INodeTypeDescription): INodeParameters[] {
	const operations = properties
		.filter(({ name, type }) => name === 'operation' && type !== 'hidden')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) => ({
				resource: displayOptions?.show?.['resource']?.[0],
				operation: valueOf(option),
			})),
		);
	const isTrigger = operations.length === 0;
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const choices = isTrigger
		? resources.map((option) => ({ resource: valueOf(option) }))
		: operations;
	const isOf = (choice: object, { displayOptions }: INodeProperties): boolean =>
		Object.entries(choice).every(([name, value]) => {
			const shown = displayOptions?.show?.[name] as unknown[] | undefined;
			return shown?.includes(value) ?? isTrigger;
		});
	return choices.flatMap((choice) =>
		properties
			.filter((field) => isOf(choice, field))
			.flatMap((field) =>
				valuesFor(field).map((value) => ({ ...choice, [field.name]: value }) as INodeParameters),
			),
	);
}

const NODE = { typeVersion: 1 };

/** Resolves parameters as n8n does for a run, for saving, and for the editor. */
function resolve(
	{ NodeHelpers }: typeof newest,
	description: INodeTypeDescription,
	saved: INodeParameters,
) {
	const parameters = (withDefaults: boolean): INodeParameters | null =>
		NodeHelpers.getNodeParameters(
			description.properties,
			structuredClone(saved),
			withDefaults,
			false,
			NODE,
			description,
		);
	const isShown = (field: INodeProperties, path = ''): boolean =>
		NodeHelpers.displayParameterPath(saved, field, path, NODE, description);
	return {
		run: parameters(true),
		saved: parameters(false),
		shown: description.properties.flatMap((field) => [
			...(isShown(field) ? [field.displayName] : []),
			...(field.type === 'collection' && typeof saved[field.name] === 'object'
				? (field.options as INodeProperties[])
						.filter((option) => isShown(option, field.name))
						.map(({ name }) => `${field.name}.${name}`)
				: []),
		]),
	};
}

describe.each(DESCRIPTIONS.map((one) => [one.name, one] as const))('%s', (_name, description) => {
	const sets = parameterSets(description);
	const expected: Array<ReturnType<typeof resolve>> = [];

	beforeAll(() => {
		expected.push(...sets.map((saved) => resolve(newest, description, saved)));
	});

	it.each(N8N_LINES.slice(0, -1))(
		'has the same parameters in n8n %s as in the newest one',
		(_line, workflow) => {
			expect(sets.length).toBeGreaterThan(30);
			const isSame = (saved: INodeParameters, index: number): boolean =>
				isDeepStrictEqual(resolve(workflow, description, saved), expected[index]);
			expect(sets.filter((saved, index) => !isSame(saved, index))).toEqual([]);
		},
	);
});
