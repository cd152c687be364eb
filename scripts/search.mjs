/**
 * `npm run test:search -- --minutes 10 [--seed N] [--world NAME] [--path P]`: plays new random schedules of the
 * trigger's model until one breaks a promise, or for so long. For a failure it prints the seed, the shortest schedule
 * that was found, and the command that repeats it.
 */

import { parseArgs } from 'node:util';

import { main, UserError } from './lib/program.mjs';
import { duration } from './lib/progress.mjs';
import { loadSubject } from './lib/world.mjs';

/** Schedules of one world before it is the next one's turn. */
const BATCH = 250;
const REPORT_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

const { values: options } = parseArgs({
	options: {
		minutes: { type: 'string', default: '1' },
		seed: { type: 'string' },
		world: { type: 'string', multiple: true },
		path: { type: 'string', default: '' },
		runs: { type: 'string' },
	},
});

/** @param {string | undefined} text @param {string} name @returns {number} */
function number(text, name) {
	const value = Number(text);
	if (!Number.isFinite(value)) throw new UserError(`--${name} must be a number`);
	return value;
}

await main(async () => {
	const { subject, modules } = await loadSubject('search', 'scopes');
	const { search } = modules('search');
	const { worldNames } = modules('scopes');
	/** @type {string[]} */
	const worlds = options.world ?? worldNames;
	for (const world of worlds) {
		if (!worldNames.includes(world))
			throw new UserError(`--world must be one of ${worldNames.join(', ')}`);
	}
	const firstSeed =
		options.seed === undefined ? Date.now() % 1_000_000_007 : number(options.seed, 'seed');
	const runs = options.runs === undefined ? BATCH : number(options.runs, 'runs');
	const began = Date.now();
	const end = began + number(options.minutes, 'minutes') * MINUTE_MS;
	let tried = 0;
	let reported = began;
	const summary = () => {
		const took = Date.now() - began;
		return `${tried} schedules in ${duration(took)}, ${Math.round((tried * MINUTE_MS) / Math.max(1, took))} a minute`;
	};
	for (let seed = firstSeed; ; seed++) {
		for (const world of worlds) {
			const result = await search(subject, world, { seed, runs, path: options.path });
			tried += result.tried;
			if (result.finding !== undefined) {
				const { schedule, verdict, path } = result.finding;
				console.log(`A promise is broken in the world "${world}", after ${summary()}:`);
				console.log(JSON.stringify(verdict, null, 2));
				console.log(`The shortest schedule found, to be kept in test/trigger/kept/:`);
				console.log(JSON.stringify(schedule));
				console.log(
					`Repeat it with: npm run test:search -- --world ${world} --seed ${seed} --path ${path}`,
				);
				return 1;
			}
			if (options.path !== '') {
				console.log('The schedule breaks no promise any more.');
				return 0;
			}
			if (Date.now() - reported > REPORT_EVERY_MS) {
				reported = Date.now();
				console.log(`${summary()}, nothing found so far, at seed ${seed}`);
			}
			if (Date.now() > end) {
				console.log(`${summary()}, from seed ${firstSeed} to ${seed}: no promise was broken.`);
				return 0;
			}
		}
	}
});
