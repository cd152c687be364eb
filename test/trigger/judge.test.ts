import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { subject } from './subject';
import { play } from './world/play';
import { complete } from './world/schedule';
import type { Poll } from './world/n8n/poll';

/** Charges come in and are told, in a list that holds some before. */
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

const tellingNothing: Worsen = (poll) => async (context) => {
	await poll(context);
	return null;
};

function tellingTwice(poll: Poll): Poll {
	let last: INodeExecutionData[][] | null = null;
	return async (context) => {
		const told = await poll(context);
		const again = told === null ? last : null;
		last = told;
		return told ?? again;
	};
}

const tellingOfBefore: Worsen = (poll) => async (context) => {
	const [told] = (await poll(context)) ?? [];
	const json: IDataObject = {
		event: 'charge.created',
		event_id: 'charge.created:charge-0',
		id: 'charge-0',
	};
	return told === undefined ? null : [[{ json }, ...told]];
};

const forgetting: Worsen = () => async (context) => {
	const data = context.getWorkflowStaticData('node');
	for (const name of Object.keys(data)) Reflect.deleteProperty(data, name);
	return await subject.startProcess()(context);
};

const failing: Worsen = () => async () => await Promise.reject(new Error('no'));

it.each<[string, blamed: string[], Worsen]>([
	['keeps the promises', [], (poll) => poll],
	['tells nothing', ['late', 'lost'], tellingNothing],
	['tells each charge again', ['twice'], tellingTwice],
	['tells what was there when it began', ['old'], tellingOfBefore],
	['forgets, and so falls silent', ['late', 'lost'], forgetting],
	['fails though the service is fine', ['stuck'], failing],
])('the judge of one that %s says %j', async (_what, blamed, worsen) => {
	const startProcess = (): Poll => worsen(subject.startProcess());
	const verdict = await play(schedule, { ...subject, startProcess, process: startProcess() });
	expect(Object.keys(verdict)).toEqual(blamed);
});
