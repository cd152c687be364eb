import fc from 'fast-check';
import type { Verdict } from './judge/verdict';
import { play } from './play';
import type { Subject } from './play';
import { compact } from './schedule';
import type { KeptSchedule } from './schedule';
import { schedulesIn } from './worlds';
import type { WorldName } from './worlds';

/** A schedule that breaks a law, as short as could be found. */
export interface Finding {
	readonly schedule: KeptSchedule;
	readonly verdict: Verdict;
	readonly seed: number;
	readonly path: string;
}

export interface SearchResult {
	readonly tried: number;
	readonly finding?: Finding;
}

/** A shorter schedule is not looked for longer than this. */
const MAX_MS = 20_000;

/** Plays random schedules of a world until one breaks a law, then looks for a shorter one that does. */
export async function search(
	subject: Subject,
	world: WorldName,
	{ seed, runs, path = '' }: { seed: number; runs: number; path?: string },
): Promise<SearchResult> {
	let endsAt = Infinity;
	const property = fc.asyncProperty(schedulesIn(world), async (schedule) => {
		// Not by fast-check's limit, which leaves a schedule that is being played to run beside the next world.
		return Date.now() > endsAt || Object.keys(await play(schedule, subject)).length === 0;
	});
	const at = path === '' ? {} : { path };
	const first = await fc.check(property, { seed, numRuns: runs, endOnFailure: true, ...at });
	if (!first.failed) return { tried: first.numRuns };
	const found = first.counterexamplePath ?? '';
	endsAt = Date.now() + MAX_MS;
	const shorter = path === '' ? await fc.check(property, { seed, path: found }) : first;
	const details = shorter.counterexample == null ? first : shorter;
	const [schedule] = details.counterexample ?? [];
	if (schedule === undefined)
		throw new Error('The search failed', { cause: details.errorInstance });
	const verdict = await play(schedule, subject);
	return {
		tried: first.numRuns + details.numShrinks,
		finding: {
			schedule: compact(schedule),
			verdict,
			seed,
			path: details.counterexamplePath ?? found,
		},
	};
}

/** What a finding shows, and the commands that show it again. */
export const findingText = (world: WorldName, { schedule, verdict, seed, path }: Finding): string =>
	[
		JSON.stringify(verdict),
		'The shortest schedule found, to be kept in test/trigger/kept.json:',
		JSON.stringify(schedule),
		`Repeat it with: SEED=${seed} FC_PATH=${path} npx jest promises -t "in the world ${world}"`,
	].join('\n');
