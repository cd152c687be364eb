import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { subject } from './subject';
import { play } from './world/play';
import { complete } from './world/schedule';
import type { Poll } from './world/n8n/poll';

/** New charges are emitted from a list with older ones. */
const schedule = complete({
	history: { count: 5, gapS: 600 },
	steps: [
		{ do: 'poll', waitS: 59 },
		{ do: 'arrive', count: 3 },
		{ do: 'poll', waitS: 59 },
		{ do: 'poll', waitS: 59 },
	],
});

/** Makes a trigger worse by changing its polls. */
type Worsen = (poll: Poll) => Poll;

const emittingNothing: Worsen = (poll) => async (context) => {
	await poll(context);
	return null;
};

function emittingTwice(poll: Poll): Poll {
	let last: INodeExecutionData[][] | null = null;
	return async (context) => {
		const emitted = await poll(context);
		const again = emitted === null ? last : null;
		last = emitted;
		return emitted ?? again;
	};
}

const emittingOld: Worsen = (poll) => async (context) => {
	const [emitted] = (await poll(context)) ?? [];
	const json: IDataObject = {
		event: 'charge.created',
		event_id: 'charge.created:charge-0',
		id: 'charge-0',
	};
	return emitted === undefined ? null : [[{ json }, ...emitted]];
};

const forgetting: Worsen = () => async (context) => {
	const data = context.getWorkflowStaticData('node');
	for (const name of Object.keys(data)) Reflect.deleteProperty(data, name);
	return await subject.startProcess()(context);
};

const failing: Worsen = () => async () => await Promise.reject(new Error('no'));

it.each<[string, blamed: string[], Worsen]>([
	['keeps the promises', [], (poll) => poll],
	['emits nothing', ['late', 'lost'], emittingNothing],
	['emits each charge again', ['twice'], emittingTwice],
	['emits a charge from before it began', ['old'], emittingOld],
	['forgets its state', ['late', 'lost'], forgetting],
	['fails without a failure of the service', ['stuck'], failing],
])('the examiner of a trigger that %s reports %j', async (_what, blamed, worsen) => {
	const startProcess = (): Poll => worsen(subject.startProcess());
	const verdict = await play(schedule, { ...subject, startProcess, process: startProcess() });
	expect(Object.keys(verdict)).toEqual(blamed);
});
