import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { failure, scriptedServer } from '../support/servers/http-server';
import { ROOT } from './project';

const run = promisify(execFile);

it('npm publish fails outside the workflow, which alone has provenance', async () => {
	const server = await scriptedServer(() => failure(404, 'not there'));
	const registry = `${server.url.replace('http:', '')}/`;
	const args = ['publish', `--registry=http:${registry}`, `--${registry}:_authToken=made-up`];
	// Leaves out the variables that GitHub Actions sets for npm.
	const { PATH, HOME } = process.env;
	const refused = run('npm', args, { cwd: ROOT, env: { PATH, HOME } });
	await expect(refused).rejects.toThrow(/provenance generation not supported/);
	expect(server.requests.map(({ method }) => method)).not.toContain('PUT');
});

describe('release notes', () => {
	const script = join(ROOT, 'scripts/release.mjs');
	const homepage = 'https://github.com/someone/something';
	const cwd = mkdtempSync(join(tmpdir(), 'release-'));
	beforeAll(async () => await run('git', ['init', '--quiet'], { cwd }));
	afterAll(() => rmSync(cwd, { recursive: true }));

	/** Runs the script in a repository with the given changelog, and a version 0.1.1 that is ready for its release. */
	async function notesOf(changelog: string, args: string[], author = 'me@company.com') {
		const repository = { url: 'git+https://github.com/someone/something.git' };
		const manifest = JSON.stringify({ version: '0.1.1', homepage, repository, author });
		writeFileSync(join(cwd, 'package.json'), manifest);
		writeFileSync(join(cwd, 'CHANGELOG.md'), changelog);
		await run('git', ['add', '.'], { cwd });
		const env = { ...process.env, GITHUB_REPOSITORY: 'someone/something' };
		return await run(process.execPath, [script, ...args], { cwd, env });
	}

	const FIXES =
		'# Changelog\n\n## [0.1.1]\n\n### Fixed\n\n- It [works](docs/trigger.md).\n\n## [0.1.0]\n';

	it.each([
		['only fixes', FIXES],
		['a first version', '## [0.1.1]\n\n### Fixed\n\n- It [works](docs/trigger.md).\n'],
	])('contain the section of %s, with links that work outside the repository', async (_, text) => {
		const { stdout, stderr } = await notesOf(text, ['v0.1.1']);
		expect(stdout).toBe(`### Fixed\n\n- It [works](${homepage}/blob/v0.1.1/docs/trigger.md).\n`);
		expect(stderr).toBe('');
	});

	it.each([
		['has no section in the changelog', '## [0.1.0]\n', 'v0.1.1', 'me@company.com'],
		['is not the one of the tag', FIXES, 'v0.1.2', 'me@company.com'],
		['has a placeholder as address', FIXES, 'v0.1.1', 'maintainers@company.example'],
		['says that it is not on npm', `${FIXES}- Once it is on npm, ...\n`, 'v0.1.1', ''],
	])('can’t be made for a tag if the version %s', async (_, text, tag, author) => {
		await expect(notesOf(text, [tag], author)).rejects.toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^Error: .*\n$/) as unknown,
		});
		const { stderr } = await notesOf(text, [], author);
		expect(stderr === '').toBe(tag === 'v0.1.2');
	});

	it('exist for the next version of this package', async () => {
		const { stdout } = await run(process.execPath, [script], { cwd: ROOT });
		expect(stdout).toMatch(/^### [A-Z]/m);
	});
});
