import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import pWaitFor from 'p-wait-for';

import { atEnd, killGroup, UserError } from './program.mjs';

/** How long a server gets to end by itself before it is killed. */
const STOP_GRACE_MS = 10_000;
const POLL_MS = 100;
const LOG_LINES_SHOWN = 15;

const KEEPER = fileURLToPath(new URL('keeper.cjs', import.meta.url));
const END_WITH_PARENT = fileURLToPath(new URL('endWithParent.cjs', import.meta.url));

/**
 * @typedef {object} Server
 * @property {string} logFile
 * @property {Promise<number>} ended resolves with the exit code (128 when a signal ended it)
 * @property {() => Promise<void>} stop ends the server; safe to call twice
 * @property {() => Promise<void>} kill ends it as a power cut does: at once, and without a chance to save anything
 */

/**
 * Starts a server that runs on Node. It ends with this program at the latest, even if that is killed.
 *
 * @param {string} node path of the Node to run it with
 * @param {string[]} args the script and its arguments
 * @param {{ cwd: string, env: Record<string, string | undefined>, logFile: string }} options env: all that it gets
 * @returns {Server}
 */
export function startServer(node, args, { cwd, env, logFile }) {
	// The server's own: a pipe would break with this program, and n8n then logs for ever that it can't log.
	// Its type: execa takes any descriptor, its types only small ones.
	const output = /** @type {3} */ (openSync(logFile, 'w'));
	const child = execa(node, ['--require', END_WITH_PARENT, ...args], {
		cwd,
		env,
		extendEnv: false,
		ipc: true,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		buffer: false,
		reject: false,
		forceKillAfterDelay: STOP_GRACE_MS,
		// A group of its own: Ctrl-C in the terminal is for this program, which then ends the server in good order.
		detached: true,
	});
	closeSync(output);
	const ended = child.then(({ exitCode }) => exitCode ?? 128);
	const kill = async () => {
		takeBack();
		// What the server started, too.
		killGroup(child.pid);
		await ended;
	};
	const stop = async () => {
		child.kill();
		await ended;
		await kill();
	};
	const takeBack = atEnd(stop);
	return { logFile, ended, stop, kill };
}

/**
 * The same for a program that does not run on Node.
 *
 * @param {string[]} command the program and its arguments
 * @param {Parameters<typeof startServer>[2] & { stopSignal: NodeJS.Signals }} options stopSignal: at which the program
 *   ends at once and in good order
 * @returns {Server}
 */
export function startProgram(command, { stopSignal, ...options }) {
	return startServer(process.execPath, [KEEPER, stopSignal, ...command], options);
}

/**
 * Waits until a server can be used. One that ends or takes too long is stopped.
 *
 * @param {Server} server
 * @param {{ name: string, timeoutMs: number, isReady: () => Promise<boolean> }} options
 * @throws {UserError} with the server's last words
 */
export async function untilReady(server, { name, timeoutMs, isReady }) {
	let hasEnded = false;
	let isUp = false;
	void server.ended.then(() => (hasEnded = true));
	await pWaitFor(async () => hasEnded || (isUp = await isReady()), {
		interval: POLL_MS,
		timeout: { milliseconds: timeoutMs, fallback: () => {} },
	});
	if (isUp) return;
	const why = hasEnded ? `ended (${await server.ended})` : `did not answer in ${timeoutMs} ms`;
	await server.stop();
	const log = await readFile(server.logFile, 'utf8');
	const lastWords = log.trim().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
	throw new UserError(`${name} ${why}. Its last words:\n${lastWords}`);
}
