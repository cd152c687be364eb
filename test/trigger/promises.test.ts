import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { subject } from './subject';
import { play } from './world/play';
import { complete } from './world/schedule';
import type { KeptSchedule } from './world/schedule';
import { findingText, search } from './world/search';
import { worldNames } from './world/worlds';

/** The same in every run; `npm run test:search` tries new ones, and more of them. */
const SEED = Number(process.env['SEED'] ?? 1);
const RUNS = Number(process.env['RUNS'] ?? 10);
const PATH = process.env['FC_PATH'] ?? '';

const kept = JSON.parse(readFileSync(join(__dirname, 'kept.json'), 'utf8')) as Array<{
	name: string;
	schedule: KeptSchedule;
}>;

describe('schedules that once broke a promise break none', () => {
	it.each(kept)('$name', async ({ schedule }) => {
		expect(await play(complete(schedule), subject)).toEqual({});
	});
});

describe('random schedules break no promise', () => {
	it.each(worldNames)('in the world %s', async (world) => {
		const { finding } = await search(subject, world, { seed: SEED, runs: RUNS, path: PATH });
		expect(finding && findingText(world, finding)).toBeUndefined();
	});
});
