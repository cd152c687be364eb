/**
 * What the editor shows of both nodes, as tables, and the names of what each operation gives, from the nodes'
 * descriptions and the contract. `npm run docs` writes them.
 */

import { outputSchemas } from './outputSchemas.mjs';
import { operationsOf } from './nodes.mjs';
import { table } from './pages.mjs';

/** More choices than these are a list that nobody reads: the currencies. */
const MAX_CHOICES = 12;

/** @typedef {import('./nodes.mjs').Field} Field */

/** @param {Field} field */
function choices({ options = [] }) {
	const names = options.map(({ name }) => name);
	return names.length > MAX_CHOICES
		? `one of ${names.length}, by code and name`
		: `one of: ${names.join(', ')}`;
}

/** @param {Field} field */
function wholeNumber({ typeOptions: { minValue, maxValue } = {} }) {
	const most = maxValue === undefined ? '' : ` to ${maxValue.toLocaleString('en')}`;
	return `whole number from ${minValue}${most}`;
}

/** @param {Field} field */
function entries({ typeOptions: { minRequiredFields, maxAllowedFields } = {} }) {
	if (minRequiredFields !== undefined) return `at least ${minRequiredFields}`;
	return maxAllowedFields === undefined ? 'any number' : `at most ${maxAllowedFields}`;
}

/** @type {Partial<Record<Field['type'], (field: Field) => string>>} */
const VALUES = {
	boolean: () => 'on or off',
	dateTime: ({ typeOptions }) => (typeOptions?.dateOnly ? 'date' : 'date and time'),
	fixedCollection: entries,
	multiOptions: (field) =>
		field.name === 'outputFields'
			? 'any of the record’s fields'
			: choices(field).replace('one of', 'one or several of'),
	number: wholeNumber,
	options: choices,
	resourceLocator: () => 'chosen from a list, or by ID',
	string: () => 'text',
};

/** @param {Field} field @returns {string} its default as the editor shows it */
function byDefault({ type, default: value, options = [] }) {
	if (type === 'boolean') return value ? 'on' : 'off';
	if (type === 'number') return Number(value).toLocaleString('en');
	const chosen = [value].flat();
	return options
		.flatMap((option) => ('value' in option && chosen.includes(option.value) ? [option.name] : []))
		.join(', ');
}

/** @param {Field} field @param {readonly Field[]} siblings */
function shownWhen({ displayOptions }, siblings) {
	const conditions = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) => {
		if (name === 'resource' || name === 'operation') return [];
		if (name === '@tool')
			return values?.includes(true) ? 'in an agent’s tool' : 'outside of agents';
		const other = siblings.find((sibling) => sibling.name === name);
		if (other === undefined) throw new Error(`There is no field ${name} to be shown by`);
		const wanted = (values ?? []).map((value) => byDefault({ ...other, default: value }));
		return `with ${other.displayName}: ${wanted.join(' or ')}`;
	});
	return conditions.length === 0 ? '' : ` Shown ${conditions.join(' and ')}.`;
}

/** @param {string} text */
const sentence = (text) => (text === '' || text.endsWith('.') ? text : `${text}.`);

/**
 * The rows of a table of fields, those inside of collections by their path as the editor shows it.
 *
 * @param {readonly Field[]} fields
 * @param {string} [path]
 * @returns {string[][]}
 */
function fieldRows(fields, path = '') {
	return fields.flatMap((field) => {
		// A trace of expressions in a collection has no type, since the editor never offers it.
		if (field.type === undefined || field.type === 'hidden' || field.type === 'notice') return [];
		// It waits for a value that only an older workflow holds.
		if (`/${field.name}` in (field.displayOptions?.show ?? {})) return [];
		const name = `${path}${field.displayName}`;
		const options = /** @type {any[]} */ (field.options ?? []);
		if (field.type === 'collection') return fieldRows(options, `${name} → `);
		const value = VALUES[field.type];
		if (value === undefined) throw new Error(`${name}: nothing is known of the type ${field.type}`);
		const own = [
			name + (field.required ? ' (required)' : ''),
			value(field),
			byDefault(field),
			[sentence(field.description ?? ''), sentence(field.hint ?? '')].filter(Boolean).join(' ') +
				shownWhen(field, fields),
		];
		const inner = options.flatMap((option) =>
			'values' in option ? fieldRows(option.values, `${name} → `) : [],
		);
		return [own, ...inner];
	});
}

/** @param {readonly Field[]} fields */
const fieldTable = (fields) =>
	table(['Field', 'Value', 'By default', 'What it is'], fieldRows(fields));

/** Records that come out as the service gives them: what they are, and where in docs/service.md their fields are. */
const RECORDS = {
	checkoutSession: '[checkout session](service.md#checkout-sessions)',
	invoice: '[invoice](service.md#invoices)',
	link: '[link](service.md#links)',
};

/**
 * @param {any} schema of zod, of what an operation gives
 * @param {(name: string) => any} contract gives a module of contract/schemas
 * @param {boolean} canBeWhole whether Simplify can be turned off
 */
function gives(schema, contract, canBeWhole) {
	const record = Object.entries(RECORDS).find(
		([name]) => contract(name)[`${name}Schema`] === schema,
	);
	if (record !== undefined) return `**Gives** the ${record[1]}.`;
	const names = Object.keys(schema.shape)
		.map((name) => `\`${name}\``)
		.join(', ');
	const whole = 'event_id' in schema.shape ? '`event`, `event_id`, and the' : 'the';
	return canBeWhole
		? `**Gives**, with Simplify on: ${names}. With Simplify off: ${whole} whole record.`
		: `**Gives**: ${names}.`;
}

/**
 * Every operation with its fields and its output.
 *
 * @param {Awaited<ReturnType<typeof import('./nodes.mjs').loadNodes>>} nodes
 * @returns {string}
 */
export function operationText({ action, contract }) {
	const schemas = outputSchemas(contract);
	let heading = '';
	const sections = operationsOf(action).flatMap(({ resource, operation, fields }) => {
		const { method, url } = operation.routing.request;
		const path = `${resource.value}/${operation.value}`;
		const schema = schemas[path];
		if (schema === undefined) throw new Error(`${path} has no output schema`);
		const isFirst = heading !== resource.name;
		heading = resource.name;
		return [
			...(isFirst ? [`## ${heading}`] : []),
			`### ${heading}: ${operation.name}`,
			`${sentence(operation.description)} \`${method} ${url}\``,
			fieldTable(fields),
			gives(
				schema,
				contract,
				fields.some(({ name }) => name === 'simplify'),
			),
		];
	});
	return sections.join('\n\n');
}
