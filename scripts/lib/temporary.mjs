import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {string} prefix of its name
 * @returns {string} a new folder that goes with this process, whatever it holds
 */
export function temporaryFolder(prefix) {
	const folder = mkdtempSync(join(tmpdir(), `${prefix}-`));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return folder;
}
