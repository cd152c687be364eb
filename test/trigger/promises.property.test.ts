import { keptCases } from './kept';
import { subject } from './subject';
import { promisedWorlds } from './world/schedules/scopes';
import { faultsOf, findingText, search } from './world/search';

/** The same schedules in every run; `npm run test:search` tries new ones. */
const SEED = 20_260_115;
const SCHEDULES = 150;

describe('a schedule that once broke a promise', () => {
	it.each(keptCases)('$title', async ({ schedule }) => {
		expect(await faultsOf(schedule, subject)).toEqual({});
	});
});

describe('every promise holds in a world of', () => {
	it.each(promisedWorlds)(
		'%s',
		async (world) => {
			const { finding } = await search(subject, world, { seed: SEED, runs: SCHEDULES });
			if (finding !== undefined) throw new Error(findingText(world, finding));
		},
		120_000,
	);
});
