import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { json, type Handler } from './servers/http-server';
import {
	OPERATIONS,
	envelope,
	runOperation,
	uuid,
	type OperationCase,
	type OperationName,
} from './operations';

/** Values that are far longer than any limit, made to keep whoever looks for a pattern in them busy. */

const PATTERNS: Readonly<Record<string, string>> = {
	spaces: ' ',
	digits: '1',
	zeros: '0',
	'digits and spaces': '1 ',
	'digits and dashes': '4929-',
	letters: 'a',
	dots: '.',
	percents: '%',
	'escaped digits': '%31',
	ampersands: '&#4',
	backslashes: '\\',
	quotes: '"',
	'names of secrets': 'token ',
	'named secrets': 'token=a1b2c3d4 ',
	'names in quotes': '"token":"',
	'names and openings': "token is '",
	'escaped quotes': '\\"',
	'names in one word': 'token-',
	'names of codes': 'cvv ',
	'codes without a name': 'cvv a b c 917x',
	'letters and digits': 'a1-',
	'escapes of escapes': '%2531',
	'digits of a mail': '=31',
	'digits and openings': '1<',
	'digits and tags': '1<b>',
	numerals: '四',
	JSON: '{"token":',
	UUIDs: '12345678-1234-4234-8234-123456789012 ',
	'dates and times': '2025-01-15T12:00:00 ',
	slashes: '/',
	'line breaks': '\n',
	'other digits': '\u0661',
	'pairs of surrogates': '\u{1d7d9}',
};

export const LONG_VALUES = (length: number): Array<[what: string, value: string]> => [
	...Object.entries(PATTERNS).map(([what, part]): [string, string] => [
		what,
		part.repeat(Math.ceil(length / part.length)).slice(0, length),
	]),
	['a name and spaces', `token${' '.repeat(length - 6)},`],
	['a name, a sign and spaces', `cvv:${' '.repeat(length - 5)};`],
	['a number and its end', `${'9'.repeat(length - 1)}x`],
	['a decimal number', `1.${'0'.repeat(length - 2)}`],
	['an address', `https://${'a'.repeat(length - 8)}`],
	['a date and a tail', `2031-01-01T${' '.repeat(length - 11)}`],
];

/** Those of them that kept the nodes busy once, or cost the most. */
const WORST = ['spaces', 'zeros', 'digits and spaces', 'a name and spaces', 'a decimal number'];
export const worstValues = (length: number): string[] =>
	LONG_VALUES(length)
		.filter(([what]) => WORST.includes(what))
		.map(([, value]) => value);

/** One field of an operation, as `additionalFields.title` or `items.item.0.amount`. */
export interface Field {
	readonly name: OperationName;
	readonly path: string;
}

const action = new PaymentCollection().description;

/** Every field that takes a text or a number, chosen values and dates included. */
export const FIELDS: Field[] = (Object.keys(OPERATIONS) as OperationName[]).flatMap((name) => {
	const { resource, operation }: OperationCase = OPERATIONS[name];
	return action.properties
		.filter(
			({ displayOptions }) =>
				displayOptions?.show?.['resource']?.includes(resource) === true &&
				displayOptions.show['operation']?.includes(operation) === true,
		)
		.flatMap((field) => pathsOf(field))
		.map((path) => ({ name, path }));
});

function pathsOf(field: INodeProperties, prefix = ''): string[] {
	const path = prefix + field.name;
	switch (field.type) {
		case 'collection':
			return (field.options ?? []).flatMap((one) =>
				'type' in one ? pathsOf(one, `${path}.`) : [],
			);
		case 'fixedCollection':
			return (field.options ?? []).flatMap((group) =>
				'values' in group
					? group.values.flatMap((one) => pathsOf(one, `${path}.${group.name}.0.`))
					: [],
			);
		default:
			return [path];
	}
}

/** The parameters of the operation with an expression in the place of one field. */
function parametersFor({ name, path }: Field): INodeParameters {
	const parameters = structuredClone(OPERATIONS[name].parameters) as IDataObject;
	const given: IDataObject = JSON.parse(
		JSON.stringify(parameters).replaceAll('={{ $json.key }}', uuid(1)),
	) as IDataObject;
	if (path === 'limit') given['returnAll'] = false;
	if (path === 'paymentExpiryLimit') given['expiry'] = 'afterPayments';
	if (path === 'expiryDate') given['expiry'] = 'onDate';
	const steps = path.split('.');
	const last = steps.pop() ?? '';
	let target = given;
	steps.forEach((step, index) => {
		target = (target[step] ??= steps[index + 1] === '0' ? [] : {}) as IDataObject;
	});
	target[last] = '={{ $json.value }}';
	return given as INodeParameters;
}

/** A service that has one record of everything. */
export const service: Handler = ({ method }) =>
	json(
		method === 'GET'
			? {
					...envelope({
						id: uuid(1),
						created: '2025-01-02T12:00:00Z',
						total: '20.00',
						refund_total: '0.00',
						currency: 'USD',
					}),
					id: uuid(1),
				}
			: { id: uuid(1), message: 'Done' },
	);

/** Runs the operation once for each value; every item gets an answer or an error of its own. */
export async function runWith(
	server: { url: string },
	field: Field,
	values: readonly unknown[],
): Promise<IDataObject[]> {
	const { resource, operation }: OperationCase = OPERATIONS[field.name];
	const { json: items, error } = await runOperation(server, {
		resource,
		operation,
		parameters: parametersFor(field),
		items: values.map((value) => ({ value }) as IDataObject),
		onError: 'continueRegularOutput',
	});
	return error === undefined ? items : [{ error: error.message }];
}
