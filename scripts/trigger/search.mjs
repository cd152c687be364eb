/**
 * `npm run test:search -- --minutes 10 [--seed N] [--world NAMES]`: plays new random schedules of the trigger's model
 * until one breaks a law, or for so long; with `--all` it goes on with the other worlds. For a failure it prints the
 * shortest schedule that was found and the command that repeats it. `--play FILE` plays one kept as JSON.
 */

import { readFile } from 'node:fs/promises';

import { Command } from 'commander';
import prettyMs from 'pretty-ms';

import { wholeNumber } from '../lib/arguments.mjs';
import { main, UserError } from '../lib/program.mjs';
import { loadSubject } from './world.mjs';

/** Schedules of one world before it is the next one's turn. */
const BATCH = 200;
const REPORT_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

/** @type {{ minutes: number, seed?: number, world?: string[], path: string, runs: number, play?: string, all: boolean }} */
const options = new Command('npm run test:search --')
	.option('--minutes <number>', 'how long', parseFloat, 1)
	.option('--seed <number>', 'that of the first schedules (the time)', wholeNumber())
	.option('--world <names...>', 'kinds of services and hosts (all)')
	.option('--path <path>', 'of a schedule that was found, to play it again', '')
	.option('--play <file>', 'a schedule as JSON, to play it alone')
	.option('--all', 'go on after a finding, with the other worlds', false)
	.option('--runs <number>', 'schedules of a world at a time', wholeNumber(), BATCH)
	.parse()
	.opts();

await main(async () => {
	const { subject, modules } = await loadSubject('search', 'worlds', 'play', 'schedule');
	const { search, findingText } = modules('search');
	if (options.play !== undefined) {
		const { complete } = modules('schedule');
		const kept = JSON.parse(await readFile(options.play, 'utf8'));
		const verdict = await modules('play').play(complete(kept.schedule ?? kept), subject);
		console.log(JSON.stringify(verdict));
		return Object.keys(verdict).length === 0 ? 0 : 1;
	}
	const { worldNames } = modules('worlds');
	/** @type {string[]} */
	let worlds = options.world ?? worldNames;
	for (const world of worlds) {
		if (!worldNames.includes(world))
			throw new UserError(`--world must be one of ${worldNames.join(', ')}`);
	}
	const { seed: firstSeed = Date.now() % 1_000_000_007, runs } = options;
	const began = Date.now();
	const end = began + options.minutes * MINUTE_MS;
	let tried = 0;
	let findings = 0;
	let reported = began;
	const summary = () => {
		const took = Date.now() - began;
		return `${tried} schedules in ${prettyMs(took)}, ${Math.round((tried * MINUTE_MS) / Math.max(1, took))} a minute`;
	};
	for (let seed = firstSeed; worlds.length > 0; seed++) {
		for (const world of worlds) {
			const result = await search(subject, world, { seed, runs, path: options.path });
			tried += result.tried;
			if (result.finding !== undefined) {
				console.log(`A law is broken in the world "${world}", after ${summary()}:`);
				console.log(findingText(world, result.finding));
				if (!options.all) return 1;
				findings += 1;
				worlds = worlds.filter((each) => each !== world);
			}
			if (options.path !== '') {
				if (findings === 0) console.log('The schedule breaks no law any more.');
				return findings;
			}
			if (Date.now() - reported > REPORT_EVERY_MS) {
				reported = Date.now();
				console.log(`${summary()}, ${findings} findings so far, at seed ${seed}`);
			}
			if (Date.now() > end) worlds = [];
			if (worlds.length === 0) break;
		}
		if (worlds.length === 0) {
			console.log(`${summary()}, from seed ${firstSeed} to ${seed}: ${findings} findings.`);
		}
	}
	return findings === 0 ? 0 : 1;
});
