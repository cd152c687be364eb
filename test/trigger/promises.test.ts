import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from '../support/jest/property';
import { subject } from './subject';
import { play } from './world/play';
import { complete, type KeptSchedule } from './world/schedule';
import { schedulesIn, worldNames } from './world/worlds';

/** Fixed seed; `npm run test:search` tries new and more schedules. */
const seed = Number(process.env['SEED'] ?? 1);
const numRuns = Number(process.env['RUNS'] ?? 10);
/** Longest time to search for a shorter schedule that breaks a promise. */
const MAX_SHRINKING_MS = 20_000;

const kept = JSON.parse(readFileSync(join(__dirname, 'kept.json'), 'utf8')) as KeptSchedule[];

it.each(kept)('the trigger keeps its promises in a kept schedule: $name', async (schedule) => {
	expect(await play(complete(schedule), subject)).toEqual({});
});

it.each(worldNames)(
	'the trigger keeps its promises in random schedules of the world %s',
	async (world) => {
		let endsAt = Infinity;
		const keepsPromises = fc.asyncProperty(schedulesIn(world), async (schedule) => {
			if (Date.now() > endsAt) return;
			const verdict = await play(schedule, subject);
			if (Object.keys(verdict).length === 0) return;
			endsAt = Math.min(endsAt, Date.now() + MAX_SHRINKING_MS);
			const forKeeping = JSON.stringify(schedule);
			throw new Error(`${JSON.stringify(verdict)}. To be kept in kept.json: ${forKeeping}`);
		});
		await fc.assert(keepsPromises, { seed, numRuns });
	},
);
