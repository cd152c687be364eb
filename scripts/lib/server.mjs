import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { execa } from 'execa';
import pWaitFor from 'p-wait-for';

import { atEnd, killGroup, UserError } from './program.mjs';

/** How long a server gets to end by itself before it is killed. */
const STOP_GRACE_MS = 10_000;
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const LOG_LINES_SHOWN = 15;

/**
 * @typedef {object} Server
 * @property {string} logFile
 * @property {Promise<number>} ended resolves with the exit code (128 when a signal ended it)
 * @property {() => Promise<void>} stop ends the server; safe to call twice
 * @property {() => Promise<void>} kill ends it as a power cut does: at once, and without a chance to save anything
 */

/**
 * Starts a server and waits until it can be used. It ends with this program.
 *
 * @param {string} name for an error
 * @param {string[]} command program and arguments
 * @param {object} options
 * @param {string} options.cwd
 * @param {Record<string, string | undefined>} options.env all that it gets
 * @param {string} options.logFile
 * @param {NodeJS.Signals} [options.stopSignal] SIGTERM by default; ends it in good order
 * @param {(log: string) => boolean | Promise<boolean>} options.isReady
 * @returns {Promise<Server>}
 * @throws {UserError} with the server's last words, if it ends or takes too long
 */
export async function startServer(name, [program = '', ...args], options) {
	const { cwd, env, logFile, stopSignal = 'SIGTERM', isReady } = options;
	// The server writes the file itself: a pipe would break with this program, and n8n then logs for ever that it can't log.
	// execa takes any descriptor, its types only small ones.
	const output = /** @type {3} */ (openSync(logFile, 'w'));
	const child = execa(program, args, {
		cwd,
		env,
		extendEnv: false,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		buffer: false,
		reject: false,
		killSignal: stopSignal,
		forceKillAfterDelay: STOP_GRACE_MS,
		// A group of its own: Ctrl-C in the terminal is for this program, which then ends the server in good order.
		detached: true,
	});
	closeSync(output);
	let hasEnded = false;
	const ended = child.then(({ exitCode = 128 }) => {
		hasEnded = true;
		return exitCode;
	});
	const kill = async () => {
		takeBack();
		// Also ends what the server started.
		killGroup(child.pid);
		await ended;
	};
	const stop = async () => {
		child.kill();
		await ended;
		await kill();
	};
	const takeBack = atEnd(stop);

	let isUp = false;
	const readLog = async () => await readFile(logFile, 'utf8');
	await pWaitFor(async () => hasEnded || (isUp = await isReady(await readLog())), {
		interval: POLL_MS,
		timeout: { milliseconds: START_TIMEOUT_MS, fallback: () => {} },
	});
	if (isUp) return { logFile, ended, stop, kill };
	const why = hasEnded ? `ended (${await ended})` : `did not answer in ${START_TIMEOUT_MS} ms`;
	await stop();
	const lastWords = (await readLog()).trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
	throw new UserError(`${name} ${why}. Its last words:\n${lastWords}`);
}
