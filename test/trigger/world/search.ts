import fc from 'fast-check';
import { schedules } from './schedules/arbitraries';
import { SCOPES } from './schedules/scopes';
import type { WorldName } from './schedules/scopes';
import { play } from './run';
import type { Subject } from './scene';
import type { Schedule } from './schedules/steps';
import { onlyWrongs } from './judge/verdict';
import type { Verdict } from './judge/verdict';

/** A schedule that breaks a promise, as short as could be found. */
export interface Finding {
	readonly schedule: Schedule;
	readonly verdict: Partial<Verdict>;
	readonly seed: number;
	readonly path: string;
}

/** What a finding shows, and the command that shows it again. */
export const findingText = (world: WorldName, { schedule, verdict, seed, path }: Finding): string =>
	[
		JSON.stringify(verdict, null, 2),
		'The shortest schedule found, to be kept in a folder of test/trigger/kept:',
		JSON.stringify(schedule),
		`Repeat it with: npm run test:search -- --world ${world} --seed ${seed} --path ${path}`,
	].join('\n');

export interface SearchResult {
	readonly tried: number;
	readonly finding?: Finding;
}

/** What is wrong with a schedule, without what is not. */
export async function faultsOf(schedule: Schedule, subject: Subject): Promise<Partial<Verdict>> {
	return onlyWrongs(await play(schedule, subject));
}

export interface SearchOptions {
	readonly seed: number;
	readonly runs: number;
	/** Of a finding, to go straight to it. */
	readonly path?: string;
	/** Kinds of wrong that don't count. */
	readonly ignored?: readonly string[];
	/** Changes each schedule before it is played. */
	readonly adapt?: (schedule: Schedule) => Schedule;
}

/** A shorter schedule is not looked for longer than this. */
const MAX_MS = 30_000;

/** Plays random schedules of a world until one breaks a promise, then looks for a shorter one that does. */
export async function search(
	subject: Subject,
	world: WorldName,
	{ seed, runs, path = '', adapt = (schedule) => schedule, ignored = [] }: SearchOptions,
): Promise<SearchResult> {
	const property = fc.asyncProperty(schedules(SCOPES[world]).map(adapt), async (schedule) =>
		Object.keys(await faultsOf(schedule, subject)).every((kind) => ignored.includes(kind)),
	);
	const at = path === '' ? {} : { path };
	const first = await fc.check(property, { seed, numRuns: runs, endOnFailure: true, ...at });
	if (!first.failed) return { tried: first.numRuns };
	const found = first.counterexamplePath ?? '';
	// Only the shortening is limited in time: each run of the same seed tries the same schedules.
	const details =
		path === ''
			? await fc.check(property, { seed, path: found, interruptAfterTimeLimit: MAX_MS })
			: first;
	const tried = first.numRuns + details.numShrinks;
	const [schedule] = details.counterexample ?? [];
	if (schedule === undefined)
		throw new Error('The search failed', { cause: details.errorInstance });
	const verdict = await faultsOf(schedule, subject);
	return { tried, finding: { schedule, verdict, seed, path: details.counterexamplePath ?? '' } };
}
