import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { atEnd } from './program.mjs';

/** How long a process gets to end by itself before it is killed. */
const STOP_GRACE_MS = 10_000;
const POLL_MS = 50;

/**
 * Signals a whole process group.
 *
 * @param {number} pid the group's leader
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether anybody was there to get it
 */
function signalGroup(pid, signal) {
	try {
		process.kill(-pid, signal);
		return true;
	} catch {
		return false;
	}
}

/** @type {Set<number>} Leaders of groups that may still have members. */
const groups = new Set();

// The last line of defence, for an exit that ran no clean-up: nothing asynchronous works here any more.
process.on('exit', () => {
	for (const pid of groups) signalGroup(pid, 'SIGKILL');
});

/**
 * @typedef {object} Started
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<number>} ended resolves with the exit code (128 when a signal ended it)
 * @property {() => Promise<void>} stop ends the process and everything it started; safe to call twice
 * @property {() => Promise<void>} kill ends them as a power cut does: at once, and without a chance to save anything
 */

/**
 * Starts a process as the leader of a group of its own, so that whatever it starts in turn can be ended with it.
 * It is ended with this program at the latest.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, logFile?: string, onOutput?: (text: string) => void, inherit?: boolean }} [options]
 *   logFile: output is appended there; onOutput: and given to this; inherit: output goes straight to the terminal
 * @returns {Started}
 */
export function start(command, args, { cwd, env, logFile, onOutput, inherit = false } = {}) {
	const child = spawn(command, args, {
		cwd,
		env: env ?? process.env,
		detached: true,
		stdio: inherit ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
	});
	const { pid } = child;
	if (pid !== undefined) groups.add(pid);
	const log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (text) => {
			log?.write(text);
			onOutput?.(text);
		});
	}
	/** @type {Promise<number>} */
	const ended = new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) =>
			log ? log.end(() => resolve(code ?? 128)) : resolve(code ?? 128),
		);
	});
	// Whoever awaits `ended` gets the failure to start; a caller that does not must not crash the program.
	ended.catch(() => {});

	const stop = async () => {
		takeBack();
		if (pid === undefined) return;
		signalGroup(pid, 'SIGTERM');
		const deadline = Date.now() + STOP_GRACE_MS;
		while (signalGroup(pid, 0) && Date.now() < deadline) await sleep(POLL_MS);
		signalGroup(pid, 'SIGKILL');
		groups.delete(pid);
		await ended.catch(() => {});
	};
	const kill = async () => {
		if (pid !== undefined) signalGroup(pid, 'SIGKILL');
		await stop();
	};
	const takeBack = atEnd(stop);
	ended
		.finally(() => {
			// The leader is gone; members that it left behind are ended at the latest with this program.
			if (pid !== undefined && !signalGroup(pid, 0)) {
				takeBack();
				groups.delete(pid);
			}
		})
		.catch(() => {});
	return { child, ended, stop, kill };
}
