import { clock } from '../../nodes/shared/clock';
import { honestReader } from './world/honestReader/honestReader';
import { search } from './world/search';
import type { WorldName } from './world/schedules/scopes';
import type { Schedule } from './world/schedules/steps';

const SEED = 20_260_115;
const SCHEDULES = 50;

/** It has no bounds, so it can't live where time is short; where it keeps all promises, it must be acquitted. */
const WORLDS: WorldName[] = [
	'plain',
	'orders',
	'pages',
	'counts',
	'faults',
	'rows',
	'unsteady',
	'crashes',
	'users',
	'states',
	'watch',
	'watchAll',
	'watchUsers',
	'watchChoices',
	'choices',
	'watchCounts',
	'watchStates',
	'quirks',
	'watchQuirks',
];

/**
 * Its first reading can't tell what was there from what comes while it reads, and no reading can tell an end that looks
 * like a page that fails.
 */
const withQuietStart = (schedule: Schedule): Schedule => {
	const { traits } = schedule;
	const end = traits.end === 'broken' ? 'empty' : traits.end;
	return { ...schedule, firstFaults: [], traits: { ...traits, end } };
};

const judged = { clock, poll: honestReader(), startProcess: honestReader };

it.each(WORLDS)(
	'the model blames no trigger that reads everything and forgets nothing, in a world of %s',
	async (world) => {
		const { finding } = await search(judged, world, {
			seed: SEED,
			runs: SCHEDULES,
			adapt: withQuietStart,
			ignored: ['unbounded'],
		});
		expect(finding).toBeUndefined();
	},
	60_000,
);

it('the model blames a trigger that keeps silent', async () => {
	const silent = { ...judged, poll: async () => null, startProcess: () => async () => null };
	const { finding } = await search(silent, 'plain', { seed: SEED, runs: SCHEDULES });
	expect(Object.keys(finding?.verdict ?? {})).toEqual(['stuck']);
});

it('the model blames a trigger that knows nothing of its former polls', async () => {
	const forgetful = { ...judged, poll: async () => null };
	const poll: typeof judged.poll = async (context) => {
		Reflect.deleteProperty(context.getWorkflowStaticData('node'), 'state');
		return await honestReader()(context);
	};
	const { finding } = await search({ ...forgetful, poll }, 'plain', {
		seed: SEED,
		runs: SCHEDULES,
	});
	expect(Object.keys(finding?.verdict ?? {}).length).toBeGreaterThan(0);
});
