import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { isAlive } from './alive.mjs';

const POLL_MS = 1_000;

/**
 * @param {number} pid
 * @returns {{ parent: number, command: string } | undefined} undefined when it can't be found out
 */
function describeProcess(pid) {
	try {
		// Linux: small images of it have no ps. The name in parentheses may hold anything, so count from its end.
		const [, parent] =
			readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
		const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
		return { parent: Number(parent), command };
	} catch {
		const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', `${pid}`], { encoding: 'utf8' });
		const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? [];
		return command === undefined ? undefined : { parent: Number(parent), command };
	}
}

/**
 * @returns {number | undefined} the npm that runs this program: its parent, or its grandparent with a shell between
 */
function npmProcess() {
	if (process.env.npm_lifecycle_event === undefined) return undefined;
	let pid = process.ppid;
	for (let generation = 0; generation < 2; generation++) {
		const described = describeProcess(pid);
		if (described === undefined) return undefined;
		if (/^(\S*node\s+)?\S*npm\b/.test(described.command)) return pid;
		pid = described.parent;
	}
	return undefined;
}

/**
 * Sends this program the signal to end when the npm that started it is gone. Between the two there is a shell, which
 * passes no signal on, so that ending npm would leave this program running unseen.
 */
export function stopWithNpm() {
	const npm = npmProcess();
	if (npm === undefined) return;
	setInterval(() => {
		if (!isAlive(npm)) process.kill(process.pid, 'SIGTERM');
	}, POLL_MS).unref();
}
