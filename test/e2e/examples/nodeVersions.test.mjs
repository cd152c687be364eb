import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROOT } from '../../../scripts/lib/project.mjs';
import { connect } from '../support/session.mjs';

const { n8n } = connect();

// n8n imports a workflow with a version that it does not have, and fails once that node is run.
test('n8n has every node of the examples, in the version that they name', async () => {
	const nodeTypes = await n8n.nodeTypes();
	const folder = join(ROOT, 'examples');
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
	assert.notEqual(files.length, 0);
	const has = (/** @type {string} */ type, typeVersion = 1) =>
		nodeTypes.some(({ name, version }) => name === type && [version].flat().includes(typeVersion));
	for (const file of files) {
		/** @type {import('../../../scripts/n8n-server/client/types.mjs').Workflow} */
		const { nodes } = JSON.parse(await readFile(join(folder, file), 'utf8'));
		for (const { name, type, typeVersion } of nodes)
			assert.ok(has(type, typeVersion), `${file}: ${name} (${type} ${typeVersion})`);
	}
});
