import { atEnd } from './program.mjs';

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
 * Makes a process that leads a group, as `detached` has it, end with this program, and what it started with it: jest
 * leaves its workers to finish what they are at.
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
