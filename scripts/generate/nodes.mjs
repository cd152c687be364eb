import generateCurrencies from './currencies.mjs';
import { moduleLoader } from '../compile/modules.mjs';

const ACTION = 'nodes/PaymentCollection/PaymentCollection.node';
const TRIGGER = 'nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
const SCHEMAS = 'contract/schemas';
const SCHEMA_FILES = ['link', 'invoice', 'checkoutSession', 'outputs'];

/** @typedef {import('n8n-workflow').INodeProperties} Field */

const SCHEMA_ENTRIES = SCHEMA_FILES.map((name) => `${SCHEMAS}/${name}.ts`);

/**
 * The contract's schemas alone, which takes half the time of {@link loadNodes}.
 *
 * @returns {Promise<(name: string) => any>} gives a module of contract/schemas
 */
export async function loadContract() {
	await generateCurrencies();
	const source = (await moduleLoader(SCHEMA_ENTRIES))();
	return (name) => source(`${SCHEMAS}/${name}`);
}

/**
 * What both nodes tell n8n of themselves, and the contract's schemas, from the sources as they are.
 *
 * @returns {Promise<{ action: readonly Field[], trigger: readonly Field[], contract: (name: string) => any }>} contract
 * gives a module of contract/schemas
 */
export async function loadNodes() {
	await generateCurrencies();
	const load = await moduleLoader([`${ACTION}.ts`, `${TRIGGER}.ts`, ...SCHEMA_ENTRIES]);
	const source = load();
	return {
		action: new (source(ACTION).PaymentCollection)().description.properties,
		trigger: new (source(TRIGGER).PaymentCollectionTrigger)().description.properties,
		contract: (name) => source(`${SCHEMAS}/${name}`),
	};
}

/**
 * The operations of the action node, with what the editor shows for each.
 *
 * @param {readonly Field[]} action
 * @returns {{ resource: any, operation: any, fields: Field[] }[]}
 */
export const operationsOf = (action) =>
	choicesOf(action.find(({ name }) => name === 'resource')).flatMap((resource) => {
		const operations = action.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.['resource']?.includes(resource.value),
		);
		return choicesOf(operations).map((operation) => ({
			resource,
			operation,
			fields: action.filter(
				({ name, displayOptions: { show } = {} }) =>
					name !== 'operation' &&
					show?.['resource']?.includes(resource.value) &&
					show['operation']?.includes(operation.value),
			),
		}));
	});

/** @param {Field | undefined} field @returns {any[]} */
const choicesOf = (field) => field?.options ?? [];
