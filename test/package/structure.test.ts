import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { CURRENCIES } from '../../contract/currencies.generated';
import { ENDPOINTS } from '../../contract/constants';
import { PaymentCollectionApi } from '../../credentials/PaymentCollectionApi.credentials';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';

const ROOT = join(__dirname, '../..');
const action = new PaymentCollection();
const trigger = new PaymentCollectionTrigger();
const { properties } = action.description;

// --- Reading descriptions --------------------------------------------------------------------

type Children = NonNullable<INodeProperties['options']>;

const isField = (entry: Children[number]): entry is INodeProperties => 'type' in entry;
const isGroup = (entry: Children[number]): entry is INodePropertyCollection => 'values' in entry;
const isChoice = (entry: Children[number]): entry is INodePropertyOptions => 'value' in entry;

const fieldsIn = ({ options = [] }: INodeProperties): INodeProperties[] => options.filter(isField);
const groupsIn = ({ options = [] }: INodeProperties): INodePropertyCollection[] =>
	options.filter(isGroup);
const choicesIn = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter(isChoice);
const valuesOf = (field: INodeProperties | undefined): unknown[] =>
	field === undefined ? [] : choicesIn(field).map(({ value }) => value);

/** Every field at every depth by its path: `filters.currency`, `items.item[].name`. */
function flatten(fields: INodeProperties[], prefix = ''): Array<[string, INodeProperties]> {
	return fields.flatMap((field): Array<[string, INodeProperties]> => {
		const path = prefix + field.name;
		const many = field.typeOptions?.multipleValues === true ? '[]' : '';
		return [
			[path, field],
			...flatten(fieldsIn(field), `${path}.`),
			...groupsIn(field).flatMap(({ name, values }) => flatten(values, `${path}.${name}${many}.`)),
		];
	});
}

const fieldAt = (fields: INodeProperties[], wanted: string): INodeProperties | undefined =>
	flatten(fields).find(([path]) => path === wanted)?.[1];

const operationsOf = (resource: string): INodePropertyOptions[] =>
	properties
		.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.['resource']?.[0] === resource,
		)
		.flatMap(choicesIn);

const RESOURCES = properties
	.filter(({ name }) => name === 'resource')
	.flatMap(choicesIn)
	.map(({ value }) => String(value));
const OPERATIONS = RESOURCES.flatMap((resource) =>
	operationsOf(resource).map((operation) => ({
		resource,
		name: String(operation.value),
		operation,
	})),
);
const TITLED = OPERATIONS.map((one) => [`${one.resource} ${one.name}`, one] as const);

/** What the editor shows for an operation, with all that it shows only for some values of other fields. */
function shownFor(resource: string, operation: string): INodeProperties[] {
	return properties.filter(
		({ name, displayOptions }) =>
			!['resource', 'operation'].includes(name) &&
			displayOptions?.show?.['resource']?.includes(resource) === true &&
			displayOptions.show['operation']?.includes(operation) === true,
	);
}

// --- What n8n shows and saves ------------------------------------------------------------------

it('nodes and credential have the names that saved workflows depend on', () => {
	expect(
		[action, trigger].map(({ description }) => [
			description.name,
			description.displayName,
			description.version,
		]),
	).toEqual([
		['paymentCollection', 'Payment Collection', 1],
		['paymentCollectionTrigger', 'Payment Collection Trigger', 1],
	]);
	const credential = new PaymentCollectionApi();
	expect([credential.name, credential.displayName]).toEqual([
		'paymentCollectionApi',
		'Payment Collection API',
	]);
	expect(credential.properties).toMatchObject([
		{ name: 'baseUrl', type: 'string', required: true },
		{ name: 'apiKey', type: 'string', required: true, typeOptions: { password: true } },
	]);
	// n8n would prefer a test of the credential to that of the nodes.
	expect(credential).not.toHaveProperty('test');
	for (const { description } of [action, trigger]) {
		expect(description.credentials).toEqual([
			{ name: credential.name, required: true, testedBy: 'testCredential' },
		]);
	}
});

describe.each(TITLED)('%s', (_title, { resource, name, operation }) => {
	it('has a routing to an endpoint of the service', () => {
		const { request, send, operations } = operation.routing ?? {};
		const endpoints = Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
		expect(endpoints).toContain(`${String(request?.method)} ${String(request?.url)}`);
		expect(send?.paginate).toBe(true);
		expect(operations?.pagination).toBeInstanceOf(Function);
	});

	it('shows just its own fields', () => {
		const values: INodeParameters = {
			resource,
			operation: name,
			expiry: 'never',
			returnAll: false,
			amountType: 'partial',
		};
		const shown = properties.filter(
			(field) =>
				NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, action.description) &&
				field.name !== 'resource',
		);
		const hidden = ['paymentExpiryLimit', 'expiryDate'];
		const expected = shownFor(resource, name)
			.filter(({ displayOptions }) => displayOptions?.show?.['@tool']?.[0] !== true)
			.map((field) => field.name)
			.filter((path) => !hidden.includes(path));
		expect(shown.map((field) => field.name).sort()).toEqual([...expected, 'operation'].sort());
	});

	it('has a description and a readable name for every field', () => {
		for (const [path, { displayName, description, type }] of flatten(shownFor(resource, name))) {
			expect([path, displayName]).toEqual([path, expect.stringMatching(/^[A-Z]/)]);
			if (type !== 'collection' && type !== 'notice') {
				expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z].{8,}/)]);
			}
			if (type === 'boolean') expect(description).toMatch(/^Whether /);
		}
	});
});

it.each(TITLED)('%s tells who makes a tool of it what not to leave to a model', (_title, one) => {
	const { resource, name, operation } = one;
	const { description } = action;
	const noticesIn = (nodeName: string): INodeProperties[] =>
		properties
			.filter(({ type }) => type === 'notice')
			.filter((field) =>
				NodeHelpers.displayParameter(
					{ resource, operation: name },
					field,
					{ typeVersion: 1 },
					{ ...description, name: nodeName },
				),
			);
	expect(noticesIn('paymentCollection')).toEqual([]);
	const isRead = operation.routing?.request?.method === 'GET';
	const notices = noticesIn('paymentCollectionTool').map(({ displayName }) => displayName);
	expect(notices).toEqual(
		isRead
			? []
			: [expect.stringMatching(/\. Set by hand: the credential.*\. Leave to the model: [A-Z]/)],
	);
	// What it names is there under that name.
	const named = flatten(shownFor(resource, name)).map(([, { displayName }]) => displayName);
	for (const [, fields = ''] of notices.join('').matchAll(/Leave to the model: ([^.]*)\./g)) {
		for (const field of fields.split(/,? and /)) expect(named).toContain(field);
	}
	if (name.startsWith('refund')) expect(notices.join('')).toContain('Maximum Amount');
});

it('every endpoint of the service is reached by an operation or from within one', () => {
	const routed = OPERATIONS.map(({ operation: { routing } }) => String(routing?.request?.url));
	expect([...new Set(routed)].sort()).toEqual(
		[...new Set(Object.values(ENDPOINTS).map(({ path }) => path))].sort(),
	);
});

it('every operation runs over all items as a custom operation, with a routing for older agents beside it', () => {
	const custom = Object.entries(action.customOperations).flatMap(([resource, byName]) =>
		Object.keys(byName).map((name) => `${resource} ${name}`),
	);
	expect(custom.sort()).toEqual(TITLED.map(([title]) => title).sort());
	expect(OPERATIONS.filter(({ operation }) => operation.routing === undefined)).toEqual([]);
});

describe.each<[string, INodeType]>([
	['PaymentCollection', action],
	['PaymentCollectionTrigger', trigger],
])('%s', (className, nodeType) => {
	const { description } = nodeType;
	const all = flatten(description.properties);
	const folder = join(ROOT, 'nodes', className);

	it('has a method for every list that can be searched', () => {
		const wanted = all.flatMap(([, { modes = [] }]) =>
			modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
		);
		expect(wanted.length).toBeGreaterThan(0);
		const methods = Object.keys(nodeType.methods?.listSearch ?? {});
		expect([...new Set(wanted)].sort()).toEqual(methods.sort());
	});

	it('shows an example in each field for text', () => {
		for (const [path, { type, placeholder, typeOptions }] of all) {
			if (type !== 'string' || typeOptions?.password === true) continue;
			expect([path, placeholder]).toEqual([path, expect.stringMatching(/^e\.g\. \S/)]);
		}
	});

	it('can choose from a list and by ID wherever a resource is located', () => {
		for (const [, { type, modes = [] }] of all) {
			if (type === 'resourceLocator') expect(modes.map(({ name }) => name)).toEqual(['list', 'id']);
		}
	});

	it('shows fields by parameters and values that exist', () => {
		for (const [path, { displayOptions = {} }] of all) {
			for (const [name, values = []] of Object.entries({
				...displayOptions.show,
				...displayOptions.hide,
			})) {
				// Of n8n's own: whether the node is a tool.
				if (name === '@tool') continue;
				const plainName = name.replace(/^\//, '');
				const siblings = all
					.filter(([other]) => other.split('.').at(-1) === plainName)
					.map(([, field]) => field);
				expect([path, name, siblings.length > 0]).toEqual([path, name, true]);
				const known = siblings.flatMap((field) =>
					field.type === 'boolean' ? [true, false] : valuesOf(field),
				);
				expect(known).toEqual(expect.arrayContaining(values as unknown[]));
			}
		}
	});

	it('has a default among the choices', () => {
		for (const [path, field] of all) {
			if (!['options', 'multiOptions'].includes(field.type) || field.default === '') continue;
			const defaults = [field.default].flat() as unknown[];
			expect([path, valuesOf(field)]).toEqual([path, expect.arrayContaining(defaults)]);
		}
	});

	it('has no two fields of a name beside each other', () => {
		// A hidden one holds a value that the other of its name waits for.
		const shown = description.properties.filter(({ type }) => type !== 'hidden');
		const keys = shown.map(({ name, displayOptions }) =>
			JSON.stringify([
				name,
				displayOptions?.show?.['resource'],
				displayOptions?.show?.['operation'],
				displayOptions?.show?.['@tool'],
			]),
		);
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('has a codex file of its own full name', () => {
		const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
			name: string;
		};
		const codex = JSON.parse(readFileSync(join(folder, `${className}.node.json`), 'utf8')) as {
			node: string;
			categories: string[];
		};
		expect(codex.node).toBe(`${name}.${description.name}`);
		expect(codex.categories.length).toBeGreaterThan(0);
	});

	it('is in package.json under the path where the build puts it', () => {
		const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[]; credentials: string[] };
		};
		const built = `dist/nodes/${className}/${className}.node.js`;
		expect(n8n.nodes).toContain(built);
		for (const path of [...n8n.nodes, ...n8n.credentials]) {
			expect(existsSync(join(ROOT, path.replace(/^dist\//, '').replace(/\.js$/, '.ts')))).toBe(
				true,
			);
		}
	});
});

it('a choice that costs something says so below it', () => {
	for (const path of ['returnAll', 'options.includeSensitiveData', 'amountType']) {
		const fields = flatten(properties).filter(([other]) => other === path);
		expect(fields.length).toBeGreaterThan(0);
		for (const [, { hint }] of fields) expect(hint).toMatch(/\w{3,}/);
	}
});

it('the credential has icons for both themes, which the linter does not look for', () => {
	for (const icon of Object.values(new PaymentCollectionApi().icon)) {
		expect(existsSync(join(ROOT, 'credentials', icon.replace('file:', '')))).toBe(true);
	}
});

it('the action node can be a tool, the trigger can’t', () => {
	expect(action.description.usableAsTool).toBe(true);
	expect(trigger.description).not.toHaveProperty('usableAsTool');
});

it('the action node follows no redirect and looks at every status itself', () => {
	expect(action.description.requestDefaults).toEqual({
		baseURL: '={{ $credentials.baseUrl }}',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
	});
});

it('the currencies offered are all of them, by code and name', () => {
	const codes = CURRENCIES.map(({ code }) => code);
	for (const currency of [
		fieldAt(shownFor('link', 'create'), 'currency'),
		fieldAt(shownFor('charge', 'getAll'), 'filters.currency'),
		fieldAt(trigger.description.properties, 'filters.currency'),
	]) {
		expect(valuesOf(currency)).toEqual(codes);
		expect(currency?.options).toContainEqual({ name: 'USD - US Dollar', value: 'USD' });
	}
});
