/**
 * What every script of this folder needs to be a good citizen of a terminal: one clear line when something that the
 * person can mend goes wrong, and nothing left running when it ends, however it ends.
 */

import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

import { stopWithNpm } from './npmParent.mjs';

const OLDEST_NODE = 20;

/** A failure whose message is all that the person needs: what is wrong, and what to do. No stack is printed. */
export class UserError extends Error {}

/**
 * @param {string} moduleUrl a module's `import.meta.url`
 * @returns {boolean} whether that module is what Node was told to run, rather than imported by another
 */
export function isProgram(moduleUrl) {
	return (
		process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl)
	);
}

/** @type {Set<() => unknown>} */
const cleanups = new Set();
let stopping = false;

/**
 * Registers work for the end of the program, whether it ends by itself, by a failure or by a signal.
 * The last one registered runs first.
 *
 * @param {() => unknown} cleanup
 * @returns {() => void} takes the registration back
 */
export function atEnd(cleanup) {
	cleanups.add(cleanup);
	return () => cleanups.delete(cleanup);
}

/** @returns {boolean} whether the program is on its way out, so that a child's death is no news */
export function isStopping() {
	return stopping;
}

async function cleanUp() {
	stopping = true;
	for (const cleanup of [...cleanups].reverse()) {
		cleanups.delete(cleanup);
		try {
			await cleanup();
		} catch (error) {
			console.error(`While stopping: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
}

/**
 * Set by a signal; the program's own end waits for it, so that cleaning up happens once and wholly.
 *
 * @type {Promise<void> | undefined}
 */
let interrupted;

/**
 * Runs a program: its answer (a number or nothing) is the exit code, a {@link UserError} is printed as one line.
 *
 * @param {() => Promise<number | void>} program
 * @param {{ untilStopped?: boolean }} [options] untilStopped: Ctrl-C is this program's normal end, exit code 0
 */
export async function main(program, { untilStopped = false } = {}) {
	// A terminal that was closed takes no more text; that is no reason to stop half-way through cleaning up.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => {
			// A second Ctrl-C of an impatient person must not cut the cleaning up short: that is how orphans are made.
			interrupted ??= (async () => {
				if (untilStopped) console.log('\nStopping…');
				await cleanUp();
				if (untilStopped) console.log('Stopped.');
				process.exit(untilStopped ? 0 : 128 + constants.signals[signal]);
			})();
		});
	}
	stopWithNpm();
	let exitCode = 0;
	try {
		if (Number.parseInt(process.versions.node) < OLDEST_NODE) {
			throw new UserError(
				`this needs Node ${OLDEST_NODE} or newer, and runs on ${process.version}. Install a newer Node.`,
			);
		}
		exitCode = (await program()) ?? 0;
	} catch (error) {
		exitCode = 1;
		if (!stopping) console.error(error instanceof UserError ? `Error: ${error.message}` : error);
	}
	await interrupted;
	await cleanUp();
	process.exit(exitCode);
}
