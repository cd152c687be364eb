import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describeN8n } from '../../../scripts/n8n-server/install.mjs';

const run = promisify(execFile);

const READ = `
	const { DatabaseSync } = require('node:sqlite');
	const database = new DatabaseSync(process.argv[1], { readOnly: true });
	const rows = database.prepare('SELECT workflowId, context, value FROM processed_data').all();
	process.stdout.write(JSON.stringify(rows.map((row) => ({ ...row, value: JSON.parse(row.value) }))));
`;

/**
 * What n8n remembers of processed data, read from its database by the Node that it comes with: this project's own may
 * be too old to know sqlite.
 *
 * @param {string} userFolder
 * @returns {Promise<Array<{ workflowId: string, context: string, value: { mode: string, data: string[] } }>>}
 */
export async function readProcessedData(userFolder) {
	const { node } = await describeN8n();
	const path = join(userFolder, '.n8n', 'database.sqlite');
	const { stdout } = await run(node, ['--no-warnings', '-e', READ, path]);
	return JSON.parse(stdout);
}
