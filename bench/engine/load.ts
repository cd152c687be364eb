import { PackageDirectoryLoader } from 'n8n-core';

import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { PACKAGE } from './nodeFiles';

const KILOBYTE = 1_000;

function baseLoader(): PackageDirectoryLoader {
	const file = createRequire(__filename).resolve('n8n-nodes-base/package.json');
	return new PackageDirectoryLoader(dirname(file));
}

const LOADS = {
	/** Both nodes and the credential, as n8n loads a community package when it starts. */
	ours: async (): Promise<unknown> => {
		const loader = new PackageDirectoryLoader(PACKAGE);
		await loader.loadAll();
		return loader;
	},
	/** One node of n8n's own. */
	httpRequest: async (): Promise<unknown> => {
		const loader = baseLoader();
		loader.loadNodeFromFile('dist/nodes/HttpRequest/HttpRequest.node.js');
		return loader;
	},
};

/** What was loaded must not be collected before the heap is looked at. */
const kept: unknown[] = [];

function heapAfterCollection(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}

/** How long the loader takes, and what it leaves in memory: once in a process, since modules stay loaded. */
export async function loadNodes(job: {
	which: keyof typeof LOADS;
}): Promise<{ loadMs: number; heapKb: number }> {
	// n8n loads its own nodes first, so its loader is warm when it comes to a community package.
	baseLoader().loadNodeFromFile('dist/nodes/NoOp/NoOp.node.js');
	const before = heapAfterCollection();
	const began = performance.now();
	kept.push(await LOADS[job.which]());
	const loadMs = performance.now() - began;
	return { loadMs, heapKb: (heapAfterCollection() - before) / KILOBYTE };
}
