/**
 * What the editor shows of both nodes, as tables, and the names of what each operation gives, from the nodes'
 * descriptions and the contract. `npm run docs` writes them.
 */

import generateCurrencies from './generate-currencies.mjs';
import { outputSchemas } from './generate-output-schemas.mjs';
import { moduleLoader } from './lib/modules.mjs';
import { table } from './lib/pages.mjs';

const ACTION = 'nodes/PaymentCollection/PaymentCollection.node';
const TRIGGER = 'nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
const SCHEMAS = 'contract/schemas';

/** More choices than these are a list that nobody reads: the currencies. */
const MAX_CHOICES = 12;

/** @typedef {import('n8n-workflow').INodeProperties} Field */

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
	multiOptions: (field) => choices(field).replace('one of', 'one or several of'),
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
		if (field.type === undefined || field.type === 'hidden') return [];
		const name = `${path}${field.displayName}`;
		const options = /** @type {any[]} */ (field.options ?? []);
		if (field.type === 'collection') return fieldRows(options, `${name} → `);
		const value = VALUES[field.type];
		if (value === undefined) throw new Error(`${name}: nothing is known of the type ${field.type}`);
		const own = [
			name + (field.required ? ' (required)' : ''),
			value(field),
			byDefault(field),
			sentence(field.description ?? '') + shownWhen(field, fields),
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

/** @param {readonly Field[]} fields @param {string} resource @param {string} operation */
const fieldsFor = (fields, resource, operation) =>
	fields.filter(
		({ name, displayOptions: { show } = {} }) =>
			name !== 'operation' &&
			show?.resource?.includes(resource) &&
			show.operation?.includes(operation),
	);

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
	return canBeWhole
		? `**Gives**, with Simplify on: ${names}. With Simplify off: the whole record.`
		: `**Gives**: ${names}.`;
}

/**
 * @returns {Promise<{ operations: string, parameters: string }>} every operation with its fields and its output,
 * and the trigger's parameters
 */
export async function operationParts() {
	await generateCurrencies();
	const schemaFiles = ['link', 'invoice', 'checkoutSession', 'outputs'];
	const load = await moduleLoader([
		`${ACTION}.ts`,
		`${TRIGGER}.ts`,
		...schemaFiles.map((name) => `${SCHEMAS}/${name}.ts`),
	]);
	const source = load();
	/** @param {string} name */
	const contract = (name) => source(`${SCHEMAS}/${name}`);
	const schemas = outputSchemas(contract);
	const { description: action } = new (source(ACTION).PaymentCollection)();
	const { description: trigger } = new (source(TRIGGER).PaymentCollectionTrigger)();

	/** @type {readonly Field[]} */
	const fields = action.properties;
	const resources = fields.find(({ name }) => name === 'resource')?.options ?? [];
	const sections = resources.flatMap((resource) => {
		const of = 'value' in resource ? String(resource.value) : '';
		const operations = fields.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(of),
		);
		return [
			`## ${resource.name}`,
			...(operations?.options ?? []).flatMap((/** @type {any} */ operation) => {
				const { method, url } = operation.routing.request;
				const shown = fieldsFor(fields, of, operation.value);
				const schema = schemas[`${of}/${operation.value}`];
				if (schema === undefined) throw new Error(`${of}/${operation.value} has no output schema`);
				return [
					`### ${resource.name}: ${operation.name}`,
					`${sentence(operation.description)} \`${method} ${url}\``,
					fieldTable(shown),
					gives(
						schema,
						contract,
						shown.some(({ name }) => name === 'simplify'),
					),
				];
			}),
		];
	});
	return { operations: sections.join('\n\n'), parameters: fieldTable(trigger.properties) };
}
