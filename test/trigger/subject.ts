import * as budgetsModule from '../../nodes/PaymentCollectionTrigger/budgets';
import * as clockModule from '../../nodes/shared/clock';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import type { Poll } from './world/n8n/poll';
import type { Subject } from './world/scene';

interface NodeModule {
	readonly PaymentCollectionTrigger: typeof PaymentCollectionTrigger;
}

const pollOf = ({ PaymentCollectionTrigger: Trigger }: NodeModule): Poll => {
	const node = new Trigger();
	return async (context) => await node.poll.call(context);
};

const NODE = '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';

/** The same modules again with an empty memory; n8n's, the clock and the budgets stay, since they are dear or shared. */
function startProcess(): Poll {
	const workflow = jest.requireActual<object>('n8n-workflow');
	let poll: Poll | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => workflow);
		jest.doMock('../../nodes/shared/clock', () => clockModule);
		jest.doMock('../../nodes/PaymentCollectionTrigger/budgets', () => budgetsModule);
		poll = pollOf(jest.requireActual<NodeModule>(NODE));
	});
	if (poll === undefined) throw new Error('The node could not be loaded');
	return poll;
}

/** The trigger of the sources, for the tests. */
export const subject: Subject = {
	clock: clockModule.clock,
	budgets: budgetsModule.budgets,
	poll: pollOf({ PaymentCollectionTrigger }),
	startProcess,
};
