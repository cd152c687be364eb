import { DateTime, Settings } from 'luxon';
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { parametersOf, valueOf } from './example';
import { filesIn, read } from './project';

const PREFIX = 'n8n-nodes-payment-collection.';

/** Parameters that n8n adds to a node itself: its Request Options, and when a trigger polls. */
const OF_N8N = ['requestOptions', 'pollTimes'];

const { description: action } = new PaymentCollection();
const { description: trigger } = new PaymentCollectionTrigger();
const DESCRIPTIONS = [action, { ...action, name: `${action.name}Tool` }, trigger];

interface Saved {
	title: string;
	node: INode;
	description: INodeTypeDescription;
}

const SAVED: Saved[] = filesIn('examples', /\.json$/).flatMap((file) => {
	const { nodes } = JSON.parse(read(file)) as { nodes: INode[] };
	return nodes
		.filter(({ type }) => type.startsWith(PREFIX))
		.map((node) => {
			const description = DESCRIPTIONS.find(({ name }) => PREFIX + name === node.type);
			if (description === undefined) throw new Error(`${file}: there is no ${node.type}`);
			return { title: `${file}: ${node.name}`, node, description };
		});
});

describe('the examples', () => {
	it.each(SAVED)('$title sets only fields that the node has, and all that it requires', (saved) => {
		const { node, description } = saved;
		const { properties } = description;
		const own = Object.fromEntries(
			Object.entries(node.parameters).filter(([name]) => !OF_N8N.includes(name)),
		);
		// n8n drops parameters that the editor would not show.
		const parameters =
			NodeHelpers.getNodeParameters(properties, own, true, false, node, description) ?? {};
		expect(parameters).toMatchObject(own);
		const read = { ...node, parameters };
		expect(NodeHelpers.getNodeParametersIssues(properties, read, description)).toBeNull();
	});

	it('save the amount of a refund, and null for any other event', () => {
		const { value } = parametersOf('new-charges-to-table.json', 'Save the event').columns;
		const saved = ($json: object) => valueOf(value['refunded_amount'], { $json });
		expect(saved({ refunded_amount: '12.50' })).toBe('12.50');
		expect(saved({ refunded_amount: null })).toBeNull();
		expect(saved({})).toBeUndefined();
	});

	it.each(['2026-10-05T23:30:00', '2026-10-05 23:30:00Z', '2026-10-06T03:30:00 +04:00'])(
		'read the time %s as the node does, in any time zone of n8n',
		(created) => {
			Settings.defaultZone = 'America/New_York';
			for (const [file, node] of [
				['new-charges-to-table.json', 'Save the event'],
				['new-customers-to-table.json', 'Save the customer'],
			] as const) {
				const { value } = parametersOf(file, node).columns;
				const saved = valueOf(value['created'], { $json: { created }, DateTime });
				expect(saved).toBe('2026-10-05T23:30:00.000Z');
			}
			const [totals] = parametersOf('daily-totals.json', 'Add up').assignments.assignments;
			const $input = { all: () => [{ json: { created, total: '1.00' } }] };
			expect(valueOf(totals?.value, { $input, DateTime })).toMatchObject([{ day: '2026-10-05' }]);
		},
	);

	it('all use the same check for formulas in CSV files', () => {
		const guards = [
			['daily-totals.json', 'Columns of the file'] as const,
			['export-contacts-in-batches.json', 'Each contact once'] as const,
			['export-contacts-to-csv.json', 'Text of the CSV file'] as const,
			['monthly-journal.json', 'Book each event'] as const,
		].map(([file, node]) => /isFormula = .*/.exec(parametersOf(file, node).jsCode)?.[0]);
		expect([new Set(guards).size, typeof guards[0]]).toEqual([1, 'string']);
	});
});

afterEach(() => {
	Settings.defaultZone = 'system';
});
