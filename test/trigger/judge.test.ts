import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { subject } from './subject';
import { play } from './world/play';
import type { Subject } from './world/play';
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

/** What the judge says of a trigger that is made worse. */
async function verdictOn(worsen: (poll: Poll) => Poll) {
	const worse = (): Poll => worsen(subject.startProcess());
	const bad: Subject = { ...subject, startProcess: worse, process: worse() };
	return Object.keys(await play(schedule, bad));
}

const emptied = (context: IPollFunctions): IPollFunctions => {
	const data: IDataObject = context.getWorkflowStaticData('node');
	for (const name of Object.keys(data)) Reflect.deleteProperty(data, name);
	return context;
};

const asItem = (json: IDataObject): INodeExecutionData => ({ json });

describe('the judge of the trigger blames', () => {
	it('no one who keeps the promises', async () => {
		expect(await verdictOn((poll) => poll)).toEqual([]);
	});

	it('one that tells nothing', async () => {
		const silent = (poll: Poll): Poll => {
			return async (context) => {
				await poll(context);
				return null;
			};
		};
		expect(await verdictOn(silent)).toContain('lost');
	});

	it('one that tells each charge again', async () => {
		const twice = (poll: Poll): Poll => {
			let last: INodeExecutionData[][] | null = null;
			return async (context) => {
				const told = await poll(context);
				const again = told === null ? last : null;
				last = told;
				return told ?? again;
			};
		};
		expect(await verdictOn(twice)).toContain('twice');
	});

	it('one that tells what was there when it began', async () => {
		const old = (poll: Poll): Poll => {
			return async (context) => {
				const told = await poll(context);
				const charge = { event: 'charge.created', event_id: 'charge.created:charge-0' };
				return told === null ? null : [[asItem({ ...charge, id: 'charge-0' }), ...(told[0] ?? [])]];
			};
		};
		expect(await verdictOn(old)).toContain('old');
	});

	it('one that forgets, and so falls silent', async () => {
		const forgetful = (): Poll => async (context) => await subject.startProcess()(emptied(context));
		expect(await verdictOn(forgetful)).toContain('lost');
	});

	it('one that fails though the service is fine', async () => {
		const failing = (): Poll => async () => await Promise.reject(new Error('no'));
		expect(await verdictOn(failing)).toContain('stuck');
	});
});
