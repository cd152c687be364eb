import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { CURRENCIES } from '../../contract/currencies.generated';
import { RECORD_FIELDS, type RecordKind } from '../../contract/records.generated';
import { OWN_RECORDS } from '../../contract/schemas/records';
import { PaymentCollectionApi } from '../../credentials/PaymentCollectionApi.credentials';
import type { OperationDefinition } from '../../nodes/PaymentCollection/operation';
import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { RESOURCES } from '../../nodes/PaymentCollection/resources';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { allFields, choicesIn } from '../support/descriptions';
import '../support/engine/environment';
import { detached } from '../support/engine/nodeUnderTest';
import { ROOT } from './project';

const action = new PaymentCollection();
const trigger = new PaymentCollectionTrigger();
const { properties } = action.description;

const valuesOf = (field: INodeProperties | undefined): unknown[] =>
	field === undefined ? [] : choicesIn(field).map(({ value }) => value);

const OPERATIONS = RESOURCES.flatMap(({ value: resource, operations }) =>
	Object.entries<OperationDefinition>(operations).map(
		([name, definition]) => [`${resource} ${name}`, { resource, name, definition }] as const,
	),
);

/** Fields that the editor shows for the node or its tool. */
const propertiesOf = (nodeName: string, parameters: INodeParameters): INodeProperties[] =>
	properties.filter((field) =>
		NodeHelpers.displayParameter(
			parameters,
			field,
			{ typeVersion: 1 },
			{ ...action.description, name: nodeName },
		),
	);

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
	expect(action.description.usableAsTool).toBe(true);
	expect(trigger.description).not.toHaveProperty('usableAsTool');
});

it.each(OPERATIONS)('%s has Simplify, and Output instead as a tool', (_title, one) => {
	const { resource, name: operation, definition } = one;
	// Only the service's records have fields to choose from.
	const kind = definition.output.name in OWN_RECORDS ? undefined : (resource as RecordKind);
	const shownIn = (nodeName: string, output: string) =>
		propertiesOf(nodeName, { resource, operation, output }).filter((field) =>
			['simplify', 'output', 'fields'].includes(field.name),
		);
	const namesIn = (...place: [string, string]) => shownIn(...place).map(({ name }) => name);
	const ofRecord = (...names: string[]) => (kind === undefined ? [] : names);
	expect(namesIn('paymentCollection', 'selectedFields')).toEqual(ofRecord('simplify'));
	expect(namesIn('paymentCollectionTool', 'raw')).toEqual(ofRecord('output'));
	expect(namesIn('paymentCollectionTool', 'selectedFields')).toEqual(ofRecord('output', 'fields'));
	if (kind === undefined) return;
	const [output, fields] = shownIn('paymentCollectionTool', 'selectedFields');
	expect(output).toMatchObject({ displayName: 'Output', default: 'simplified' });
	expect(valuesOf(output)).toEqual(['simplified', 'raw', 'selectedFields']);
	expect(valuesOf(fields)).toEqual([...RECORD_FIELDS[kind].all].sort());
});

it('Include Sensitive Data is offered in a workflow, and never as a tool', () => {
	const offers = allFields(properties).filter(([path]) => path === 'options.includeSensitiveData');
	const isShownIn = (name: string) =>
		offers.map(([, field]) =>
			NodeHelpers.displayParameter({}, field, null, { ...action.description, name }),
		);
	expect(isShownIn('paymentCollection')).toEqual([true, true, true]);
	expect(isShownIn('paymentCollectionTool')).toEqual([false, false, false]);
});

it.each(OPERATIONS)('%s as a tool names the fields not to leave to a model', (_title, one) => {
	const { resource, name, definition } = one;
	const noticesIn = (nodeName: string): string[] =>
		propertiesOf(nodeName, { resource, operation: name })
			.filter(({ type }) => type === 'notice')
			.map(({ displayName }) => displayName);
	expect(noticesIn('paymentCollection')).toEqual([]);
	const advice = expect.stringMatching(
		/\. Set (these|the credential) yourself: .*\. Let the model set only '[A-Z]/,
	) as string;
	const notices = noticesIn('paymentCollectionTool');
	expect(notices).toEqual(definition.endpoint.method === 'GET' ? [] : [advice]);
	if (name === 'refund') expect(notices.join('')).toContain('Maximum Amount');
});

describe.each<[string, INodeType]>([
	['PaymentCollection', action],
	['PaymentCollectionTrigger', trigger],
])('%s', (_className, nodeType) => {
	const { description } = nodeType;
	const all = allFields(description.properties);

	it('has a method for every list that can be searched', () => {
		const wanted = all.flatMap(([, { modes = [] }]) =>
			modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
		);
		expect(wanted.length).toBeGreaterThan(0);
		const methods = Object.keys(nodeType.methods?.listSearch ?? {});
		expect([...new Set(wanted)].sort()).toEqual(methods.sort());
	});

	it.each(all)('describes %s as n8n’s guidelines ask', (path, field) => {
		const { type, displayName, description: about, placeholder, typeOptions, modes = [] } = field;
		expect(displayName).toMatch(/^[A-Z]/);
		const isSelfEvident =
			['collection', 'notice', 'hidden'].includes(type) ||
			path === 'resource' ||
			path === 'operation';
		if (!isSelfEvident) expect(about).toMatch(/^[A-Z].{8,}/);
		if (type === 'boolean') expect(about).toMatch(/^Whether /);
		if (type === 'string' && typeOptions?.password !== true) {
			expect(placeholder).toMatch(/^e\.g\. \S/);
		}
		if (type === 'resourceLocator') expect(modes.map(({ name }) => name)).toEqual(['list', 'id']);
		if (['options', 'multiOptions'].includes(type) && field.default !== '') {
			const defaults = [field.default].flat() as unknown[];
			expect(valuesOf(field)).toEqual(expect.arrayContaining(defaults));
		}
	});
});

it('the credential has icons for both themes, which n8n’s linter does not check', () => {
	for (const icon of Object.values(new PaymentCollectionApi().icon)) {
		expect(existsSync(join(ROOT, 'credentials', icon.replace('file:', '')))).toBe(true);
	}
});

it('the routing follows no redirect and leaves every status to the node', () => {
	expect(action.description.requestDefaults).toEqual({
		baseURL: '={{ $credentials.baseUrl }}',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
	});
});

it('every Currency field offers all currencies by code and name', () => {
	const codes = CURRENCIES.map(({ code }) => code);
	const all = allFields([...properties, ...trigger.description.properties]);
	const offering = all.filter(([path]) => /^(filters\.)?currency$/.test(path));
	// Link: Create, Charge: Get Many, Charge: Get Events, and the trigger.
	expect(offering).toHaveLength(4);
	for (const [, currency] of offering) {
		expect(valuesOf(currency)).toEqual(codes);
		expect(currency.options).toContainEqual({ name: 'USD - US Dollar', value: 'USD' });
	}
});

const EVENTS = ['charge.created', 'charge.statusChanged'];

it.each<[subtitle: string, nodeType: INodeType, parameters: INodeParameters]>([
	['getAll: charge', action, { resource: 'charge', operation: 'getAll' }],
	['Charge Created, Charge Status Changed', trigger, { resource: 'charge', events: EVENTS }],
	['Customer Created', trigger, { resource: 'customer', events: EVENTS }],
])('the canvas shows “%s” below a node', async (expected, nodeType, parameters) => {
	const { node, workflow } = detached({ nodeType, parameters });
	const { expression } = workflow;
	const { subtitle } = nodeType.description;
	await expression.acquireIsolate();
	const shown = expression.getSimpleParameterValue(node, subtitle, 'internal', {}) as unknown;
	await expression.releaseIsolate();
	expect(shown).toBe(expected);
});
