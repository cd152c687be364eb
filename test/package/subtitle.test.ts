import { Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import '../support/engine/environment';
import { HarnessNodeTypes } from '../support/engine/workflow/nodeTypes';
import { internalNode } from '../support/engine/workflow/workflowNodes';

/** As the editor shows it below the name of a node on the canvas. */
async function subtitleOf(nodeType: INodeType, parameters: INodeParameters): Promise<unknown> {
	const node = internalNode('Shown', nodeType, parameters);
	const { expression } = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: new HarnessNodeTypes(nodeType),
	});
	const { subtitle } = nodeType.description;
	await expression.acquireIsolate();
	const shown = expression.getSimpleParameterValue(node, subtitle, 'internal', {}) as unknown;
	await expression.releaseIsolate();
	return shown;
}

const action = new PaymentCollection();

it.each(
	action.description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.flatMap((option) =>
				'value' in option && option.action !== undefined
					? [
							{
								resource: displayOptions?.show?.['resource']?.[0] as string,
								operation: option.value as string,
								shown: option.action,
							},
						]
					: [],
			),
		),
)('the node on the canvas says “$shown”', async ({ resource, operation, shown }) => {
	expect(await subtitleOf(action, { resource, operation })).toBe(shown);
});

it('says nothing where an expression chooses the operation', async () => {
	const parameters = { resource: 'link', operation: '={{ "what" }}' };
	expect(await subtitleOf(action, parameters)).toBe('');
});

it('the trigger on the canvas says its events in words', async () => {
	const parameters = { resource: 'charge', events: ['charge.created', 'charge.statusChanged'] };
	expect(await subtitleOf(new PaymentCollectionTrigger(), parameters)).toBe(
		'Charge Created, Charge Status Changed',
	);
	const customers = { ...parameters, resource: 'customer' };
	expect(await subtitleOf(new PaymentCollectionTrigger(), customers)).toBe('Customer Created');
});
