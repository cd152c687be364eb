import { open, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAlive } from './alive.mjs';
import { atEnd } from './program.mjs';

const POLL_MS = 1_000;

/**
 * Takes a lock that other processes of this machine respect, waits while a living one holds it, and does the work.
 * A lock whose owner died is taken over.
 *
 * @template T
 * @param {string} path the lock's file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (pid: number) => void }} [options] onWait: told once, when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { onWait } = {}) {
	let told = false;
	for (;;) {
		try {
			const file = await open(path, 'wx');
			await file.writeFile(String(process.pid));
			await file.close();
			break;
		} catch (error) {
			if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
		}
		const owner = await readFile(path, 'utf8').catch(() => undefined);
		if (owner === undefined) continue;
		// An empty file is a lock whose owner is just about to write its pid: wait a moment, then look again.
		if (owner === '' || isAlive(Number(owner))) {
			if (owner !== '' && !told) {
				told = true;
				onWait?.(Number(owner));
			}
			await sleep(POLL_MS);
			if (owner !== '' || (await readFile(path, 'utf8').catch(() => '-')) !== '') continue;
		}
		// Renaming, not deleting: of two that see the same dead owner only one succeeds.
		const stale = `${path}.stale-${process.pid}`;
		await rename(path, stale).catch(() => {});
		await rm(stale, { force: true });
	}
	const release = () => rm(path, { force: true });
	const takeBack = atEnd(release);
	try {
		return await work();
	} finally {
		takeBack();
		await release();
	}
}
