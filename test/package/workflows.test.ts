import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

it('the GitHub workflows are right, and name every action by its commit', () => {
	const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/lint-workflows.mjs'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	expect([stdout, stderr, status]).toEqual(['', '', 0]);
});
