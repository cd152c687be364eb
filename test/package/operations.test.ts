import type { z } from 'zod';

import { ENDPOINTS, RECORD_STATUSES, type EndpointName } from '../../contract/constants';
import { pageQuerySchema } from '../../contract/schemas/list';
import { RESOURCES } from '../../nodes/PaymentCollection/resources';
import { fieldsOf } from '../../nodes/PaymentCollection/operation';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { isCollection, type AnyField } from '../../nodes/shared/fields/field';
import { CHARGE_EVENTS, CHARGE_EVENT_NAMES } from '../../nodes/shared/records/chargeEvents';
import { HANDLERS, type EndpointHandler } from '../../sandbox/endpoints';
import { OPERATION_NAMES } from '../support/operations';
import { read } from './project';

const OPERATIONS = RESOURCES.flatMap(({ name: resource, value, operations }) =>
	Object.entries(operations).map(([name, definition]) => ({
		name: `${value} ${name}`,
		resource,
		definition,
	})),
);
const NAMES = OPERATIONS.map(({ name }) => name).sort();

it('each operation has an example for the general tests', () => {
	expect([...OPERATION_NAMES].sort()).toEqual(NAMES);
});

/** Cells of a Markdown table, without its heading. */
function rows(name: string, heading: string): string[][] {
	const pattern = new RegExp(`^\\| ${heading} [^]*?\\n\\|[ |-]+\\n([^]*?)\\n\\n`, 'm');
	const [, table = ''] = pattern.exec(read(name)) ?? [];
	return table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
}

it('the README lists each resource with its operations', () => {
	const byName = (one: string, other: string) => (one < other ? -1 : 1);
	const labels = RESOURCES.map(({ name, operations }) => [
		name,
		Object.values(operations)
			.map((operation) => operation.name)
			.sort(byName)
			.join(', '),
	]);
	const resources = rows('README.md', 'Resource').map(([, resource, operations]) => [
		resource,
		operations,
	]);
	expect(resources).toEqual(labels.sort(([one = ''], [other = '']) => byName(one, other)));
});

/** Field names of a schema, also of one with a rule across fields. */
function namesIn(schema: EndpointHandler['body']): string[] {
	if (schema === undefined) return [];
	const object = 'shape' in schema ? schema : schema.innerType();
	return Object.keys(object.shape as z.ZodRawShape);
}

/** Query parameters of an endpoint without those of the page. */
const filtersOf = (name: EndpointName): string[] =>
	namesIn((HANDLERS[name] as EndpointHandler).query).filter(
		(one) => !(one in pageQuerySchema.shape),
	);

const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];

it('the documents name each endpoint, the filters of each list, each status and each write', () => {
	const sections = read('docs/service.md').split(/^## /m);
	for (const name of ENDPOINT_NAMES) {
		const { method, path } = ENDPOINTS[name];
		const about = sections.filter((section) => section.includes(`\`${method} ${path}\``));
		expect([name, about.length > 0]).toEqual([name, true]);
		for (const filter of filtersOf(name)) expect(about.join('')).toContain(`\`${filter}\``);
	}
	const pageQuery = Object.keys(pageQuerySchema.shape);
	for (const name of [...pageQuery, ...RECORD_STATUSES])
		expect(sections.join('')).toContain(`\`${name}\``);
	const writes = OPERATIONS.filter(({ definition }) => definition.write !== undefined);
	const listed = read('docs/writes.md');
	for (const { resource, definition } of writes)
		expect(listed).toMatch(new RegExp(`${resource}: [\\w, ]*\\b${definition.name}\\b`));
});

it('the documents list each event', () => {
	const events = CHARGE_EVENT_NAMES.map((name) => ({ name, ...CHARGE_EVENTS[name] }));
	const titles = new PaymentCollectionTrigger().description.properties
		.filter(({ name }) => name === 'events' || name === 'operation')
		.flatMap(({ options = [] }) => options.map((option) => option.name));
	expect(titles).toEqual([...events.map(({ title }) => title), 'Customer Created']);
	expect(rows('README.md', 'Trigger event').map(([, event]) => event)).toEqual(titles);
	const trigger = rows('docs/trigger.md', 'Event');
	expect(trigger.map(([, event]) => event)).toEqual(titles);
	const names = [...events.map(({ name }) => name), 'customer.created'];
	expect(trigger.map(([, , id = '']) => id.replace(/^`(.*):<id>.*`$/, '$1'))).toEqual(names);
	// The ID of an event about a changing field contains the new state.
	for (const [index, { watched }] of events.entries())
		expect(trigger[index]?.[2]).toMatch(watched ? /:<id>:<\w+>`$/ : /:<id>`$/);
	const choices = rows('docs/trigger.md', 'I want to know when');
	const [, getEvents = ''] =
		/^## Charge: Get Events\n([^]*?)^## /m.exec(read('docs/operations.md')) ?? [];
	for (const { title } of events) {
		expect(choices.map(([, , event]) => event)).toContain(`**${title}**`);
		expect(getEvents).toContain(`**${title}**`);
	}
});

/** The service's names of the fields that are sent in one part of a request. */
const sentIn = (part: 'query' | 'body', fields: readonly AnyField[]): string[] =>
	fields.flatMap((field) => {
		if (isCollection(field)) return sentIn(part, field.fields);
		return field.sent?.in === part ? [field.sent.as] : [];
	});

it.each(ENDPOINT_NAMES)('%s has exactly the fields of the contract', (name) => {
	const { body }: EndpointHandler = HANDLERS[name];
	const fields = OPERATIONS.filter(({ definition }) => definition.endpoint === ENDPOINTS[name]);
	const all = fields.flatMap(({ definition }) => fieldsOf(definition));
	expect([...new Set(sentIn('query', all))].sort()).toEqual(filtersOf(name).sort());
	// The refund calculates its amount.
	const calculated = name === 'chargeRefund' ? ['amount'] : [];
	expect([...new Set([...sentIn('body', all), ...calculated])].sort()).toEqual(
		namesIn(body).sort(),
	);
});
