import type { IPollFunctions } from 'n8n-workflow';
import * as budgets from '../../nodes/PaymentCollectionTrigger/state/datedKeys';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import type * as Trigger from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import * as clock from '../../nodes/shared/clock';
import type { Poll } from './world/n8n/poll';
import type { Subject } from './world/play';

const NODES = '../../nodes';

/** Starts a process of n8n with an empty memory; all processes share the clock and the budgets. */
function startProcess(): Poll {
	let poll: Poll | undefined;
	jest.isolateModules(() => {
		jest.doMock(`${NODES}/shared/clock`, () => clock);
		jest.doMock(`${NODES}/PaymentCollectionTrigger/state/datedKeys`, () => budgets);
		const module = jest.requireActual<typeof Trigger>(
			`${NODES}/PaymentCollectionTrigger/PaymentCollectionTrigger.node`,
		);
		const node = new module.PaymentCollectionTrigger();
		poll = async (context: IPollFunctions) => await node.poll.call(context);
	});
	if (poll === undefined) throw new Error('The trigger was not loaded');
	return poll;
}

/** The trigger of the sources, for the model. */
export const subject: Subject = {
	clock: clock.clock,
	budgets: budgets.budgets,
	startProcess,
	process: startProcess(),
};

/** The node in a process with an empty memory. */
export function startNode(): PaymentCollectionTrigger {
	const poll = startProcess();
	return Object.assign(new PaymentCollectionTrigger(), {
		async poll(this: IPollFunctions) {
			return await poll(this);
		},
	});
}
