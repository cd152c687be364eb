/**
 * The fields of the service's records, bodies and queries as tables, from the contract. `npm run docs` writes them into
 * docs/service.md.
 */

import { moduleLoader } from '../compile/modules.mjs';
import { table } from './pages.mjs';

const FOLDER = 'contract/schemas';

/** The tables of the page: the module of contract/schemas, and the schema in it. */
const TABLES = {
	link: ['link', 'linkSchema'],
	'link-create': ['link', 'linkCreateFieldsSchema'],
	'link-edit': ['link', 'linkEditSchema'],
	invoice: ['invoice', 'invoiceSchema'],
	charge: ['charge', 'chargeSchema'],
	'charge-filters': ['charge', 'chargeFiltersSchema'],
	refund: ['charge', 'refundSchema'],
	'checkout-session': ['checkoutSession', 'checkoutSessionSchema'],
	customer: ['customer', 'customerSchema'],
	'customer-filters': ['customer', 'customerFiltersSchema'],
};

/** Bodies and queries, of which the page says what has to be there. */
const SENT = new Set(['link-create', 'link-edit', 'charge-filters', 'refund', 'customer-filters']);

/**
 * @param {any} checks of a zod schema
 * @param {string} kind
 * @returns {any} the value of the check of that kind, if there is one
 */
const limit = (checks, kind) =>
	checks.find((/** @type {any} */ check) => check.kind === kind)?.value;

/** @param {any} schema a text of zod */
function textType({ _def: { checks } }) {
	const most = limit(checks, 'max');
	const least = limit(checks, 'min');
	if (most !== undefined) return `text of at most ${most} characters`;
	return least === undefined ? 'text' : 'text, not empty';
}

/** @param {any} schema a number of zod @param {number} greatest that every whole number may have */
function numberType({ _def: { checks } }, greatest) {
	if (!checks.some((/** @type {any} */ { kind }) => kind === 'int')) return 'number';
	const least = limit(checks, 'min');
	const most = Math.min(
		...checks.flatMap((/** @type {any} */ check) => (check.kind === 'max' ? [check.value] : [])),
	);
	if (least === undefined) return 'whole number';
	return most < greatest ? `whole number from ${least} to ${most}` : `whole number from ${least}`;
}

/** What a table's types are made of. @typedef {{ named: Map<unknown, string>, greatest: number }} Words */

/**
 * The rows for a field and all that is inside of it, by their paths: `items[].name`.
 *
 * @param {string} path
 * @param {any} schema of zod
 * @param {Words} words
 * @param {string} [more] what else is to be said of the field
 * @returns {Array<[path: string, type: string]>}
 */
function fieldRows(path, schema, words, more = '') {
	const known = words.named.get(schema);
	if (known !== undefined) return [[path, known + more]];
	const { _def } = schema;
	/** @param {string} type @returns {Array<[string, string]>} */
	const row = (type) => [[path, type + more]];
	switch (_def.typeName) {
		case 'ZodOptional':
			return fieldRows(path, _def.innerType, words, `${more}, may be missing`);
		case 'ZodNullable':
			return fieldRows(path, _def.innerType, words, `${more}, or null`);
		case 'ZodEffects':
			return fieldRows(
				path,
				_def.schema,
				words,
				`, ${_def.effect.refinement ? 'not negative' : ''}${more}`,
			);
		case 'ZodString':
			return row(textType(schema));
		case 'ZodNumber':
			return row(numberType(schema, words.greatest));
		case 'ZodBoolean':
			return row('true or false');
		case 'ZodEnum':
			return row(_def.values.map((/** @type {string} */ value) => `\`${value}\``).join(', '));
		case 'ZodRecord':
			return row('object of pairs');
		case 'ZodArray': {
			const most = _def.maxLength === null ? '' : `, at most ${_def.maxLength.value}`;
			const least = _def.minLength === null ? '' : `, at least ${_def.minLength.value}`;
			const inner = fieldRows(`${path}[]`, _def.type, words).slice(1);
			return [...row(`list of objects${least}${most}`), ...inner];
		}
		case 'ZodObject': {
			const inner = Object.entries(schema.shape).flatMap(([name, field]) =>
				fieldRows(`${path}.${name}`, field, words),
			);
			return [...row('object'), ...inner];
		}
		default:
			throw new Error(`${path}: nothing is known of the type ${_def.typeName}`);
	}
}

/** @param {any} schema of zod @param {boolean} isSent @param {Words} words */
function fieldTable(schema, isSent, words) {
	const rows = Object.entries(schema.shape).flatMap(([name, field]) => {
		const isOptional = /** @type {any} */ (field).isOptional();
		return fieldRows(name, field, words).map(([path, type], index) => [
			`\`${path}\``,
			isSent ? type.replace(', may be missing', '') : type,
			...(isSent ? [index === 0 && isOptional ? 'no' : 'yes'] : []),
		]);
	});
	return table(['Field', 'Type', ...(isSent ? ['Required'] : [])], rows);
}

/** @returns {Promise<Record<string, string>>} the tables by their names */
export async function serviceTables() {
	const names = ['primitives', ...Object.values(TABLES).map(([name]) => name)];
	const load = await moduleLoader(names.map((name) => `${FOLDER}/${name}.ts`));
	const source = load();
	/** @param {string} name */
	const contract = (name) => source(`${FOLDER}/${name}`);
	const { uuid, uri, dateTime, calendarDate, decimalText, currencyCode, integer } =
		contract('primitives');
	const { metadataSchema } = contract('checkoutSession');
	const words = {
		named: new Map([
			[uuid, 'UUID'],
			[uri, 'address'],
			[dateTime, 'date and time'],
			[calendarDate, 'date'],
			[decimalText, 'decimal number as text'],
			[currencyCode, 'ISO 4217 code'],
			[integer, 'whole number'],
			[metadataSchema, 'object of pairs of texts'],
		]),
		greatest: source('contract/constants').MAX_INTEGER,
	};
	return Object.fromEntries(
		Object.entries(TABLES).map(([name, [module = '', schema = '']]) => [
			name,
			fieldTable(contract(module)[schema], SENT.has(name), words),
		]),
	);
}
