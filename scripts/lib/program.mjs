/**
 * Makes a script a good citizen of a terminal: one clear line for a problem that the person can solve, and nothing left
 * running when it ends, however it ends.
 */

import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

import { InvalidArgumentError } from 'commander';
import { asyncExitHook, gracefulExit } from 'exit-hook';

/** Limits all that is done at the end together. n8n gets 10 s of it. */
const CLEAN_UP_MS = 20_000;
const POLL_MS = 1_000;

let isOnItsWayOut = false;

/** A failure whose message is all that the person needs: what is wrong, and what to do. No stack is printed. */
export class UserError extends Error {}

/**
 * @param {string} moduleUrl a module's `import.meta.url`
 * @returns {boolean} true if Node was started with that module, false if another one imports it
 */
export function isProgram(moduleUrl) {
	return realpathSync(process.argv[1] ?? '') === fileURLToPath(moduleUrl);
}

/**
 * Registers work for the end of the program, whether it ends by itself, by a failure or by a signal.
 *
 * @param {() => unknown} cleanUp
 * @returns {() => void} takes the registration back
 */
export function atEnd(cleanUp) {
	return asyncExitHook(
		async () => {
			await Promise.resolve(cleanUp()).catch((error) => console.error('While stopping:', error));
		},
		{ wait: CLEAN_UP_MS },
	);
}

/**
 * Kills the processes of a group. A library for this would need the command ps, which small images lack.
 *
 * @param {number | undefined} leader undefined for one that could not be started
 */
export function killGroup(leader) {
	try {
		if (leader !== undefined) process.kill(-leader, 'SIGKILL');
	} catch {
		// Nobody of the group is left.
	}
}

/**
 * Ends a process, and all that it started, when this program ends: jest alone would leave its workers running. The
 * process must lead a group (`detached`).
 *
 * @template {PromiseLike<unknown> & { pid?: number }} Child
 * @param {Child} child
 * @returns {Child}
 */
export function endWithProgram(child) {
	const takeBack = atEnd(() => killGroup(child.pid));
	child.then(takeBack, takeBack);
	return child;
}

/** @returns {boolean} whether the program is on its way out, so that a child's death is no news */
export function isStopping() {
	return isOnItsWayOut;
}

/** @param {number} exitCode */
function end(exitCode) {
	isOnItsWayOut = true;
	gracefulExit(exitCode);
}

/**
 * npm passes a signal on to its script, but can't when it is killed itself; the script would go on unseen. Its parent
 * is npm: the shell between them makes room for the script, see "exec" in package.json.
 */
function endWithNpm() {
	if (process.env['npm_lifecycle_event'] === undefined) return;
	const npm = process.ppid;
	setInterval(() => {
		if (process.ppid !== npm) end(1);
	}, POLL_MS).unref();
}

/** @returns {(text: string) => number} reads an option's value */
export function wholeNumber(max = Number.MAX_SAFE_INTEGER) {
	return (text) => {
		if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
		throw new InvalidArgumentError(`It must be a whole number up to ${max}.`);
	};
}

/**
 * Runs a program: its answer (a number or nothing) is the exit code, a {@link UserError} is printed as one line.
 *
 * @param {() => Promise<number | void>} program
 * @param {{ untilStopped?: boolean }} [options] untilStopped: Ctrl-C is this program's normal end, exit code 0
 */
export async function main(program, { untilStopped = false } = {}) {
	// A terminal that was closed takes no more text; that is no reason to stop half-way through cleaning up.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	// A second Ctrl-C of an impatient person must not cut the cleaning up short.
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
		process.on(signal, () => end(untilStopped ? 0 : 128 + constants.signals[signal]));
	endWithNpm();
	let exitCode = 1;
	try {
		exitCode = (await program()) ?? 0;
	} catch (error) {
		const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
		const isClear = error instanceof UserError || code === 'EADDRINUSE';
		if (!isOnItsWayOut) console.error(isClear ? `Error: ${message}` : error);
	}
	// After a signal its exit code stands.
	if (!isOnItsWayOut) end(exitCode);
}
