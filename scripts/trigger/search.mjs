/**
 * `npm run test:search -- --minutes 10 [--seed N] [--world NAME] [--path P]`: plays new random schedules of the
 * trigger's model until one breaks a promise, or for so long. For a failure it prints the seed, the shortest schedule
 * that was found, and the command that repeats it.
 */

import { Command } from 'commander';
import prettyMs from 'pretty-ms';

import { wholeNumber } from '../lib/arguments.mjs';
import { main, UserError } from '../lib/program.mjs';
import { loadSubject } from './world.mjs';

/** Schedules of one world before it is the next one's turn. */
const BATCH = 250;
const REPORT_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

/** @type {{ minutes: number, seed?: number, world?: string[], path: string, runs: number }} */
const options = new Command('npm run test:search --')
	.option('--minutes <number>', 'how long', parseFloat, 1)
	.option('--seed <number>', 'that of the first schedules (the time)', wholeNumber())
	.option(
		'--world <names...>',
		'kinds of services and hosts (those in which every promise is to hold)',
	)
	.option('--path <path>', 'of a schedule that was found, to play it again', '')
	.option('--runs <number>', 'schedules of a world at a time', wholeNumber(), BATCH)
	.parse()
	.opts();

await main(async () => {
	const { subject, modules } = await loadSubject('search', 'schedules/scopes');
	const { search, findingText } = modules('search');
	const { promisedWorlds, worldNames } = modules('schedules/scopes');
	/** @type {string[]} */
	const worlds = options.world ?? promisedWorlds;
	for (const world of worlds) {
		if (!worldNames.includes(world))
			throw new UserError(`--world must be one of ${worldNames.join(', ')}`);
	}
	const { seed: firstSeed = Date.now() % 1_000_000_007, runs } = options;
	const began = Date.now();
	const end = began + options.minutes * MINUTE_MS;
	let tried = 0;
	let reported = began;
	const summary = () => {
		const took = Date.now() - began;
		return `${tried} schedules in ${prettyMs(took)}, ${Math.round((tried * MINUTE_MS) / Math.max(1, took))} a minute`;
	};
	for (let seed = firstSeed; ; seed++) {
		for (const world of worlds) {
			const result = await search(subject, world, { seed, runs, path: options.path });
			tried += result.tried;
			if (result.finding !== undefined) {
				console.log(`A promise is broken in the world "${world}", after ${summary()}:`);
				console.log(findingText(world, result.finding));
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
