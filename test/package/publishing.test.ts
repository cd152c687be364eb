import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { failure, scriptedServer } from '../support/servers/http-server';
import { ROOT } from './project';

const run = promisify(execFile);

it('can be published by the workflow alone, since npm asks for provenance', async () => {
	const server = await scriptedServer(() => failure(404, 'not there'));
	const registry = `${server.url.replace('http:', '')}/`;
	const args = ['publish', `--registry=http:${registry}`, `--${registry}:_authToken=made-up`];
	// Without the variables by which npm knows GitHub.
	const { PATH, HOME } = process.env;
	const refused = run('npm', args, { cwd: ROOT, env: { PATH, HOME } });
	await expect(refused).rejects.toThrow(/provenance generation not supported/);
	expect(server.requests.map(({ method }) => method)).not.toContain('PUT');
});

it('is released with its section of the changelog, whose links work outside of the repository', async () => {
	const notes = async (...args: string[]) =>
		(await run(process.execPath, ['scripts/releaseNotes.mjs', ...args], { cwd: ROOT })).stdout;
	expect(await notes()).toMatch(/### Added[^]*\]\(https:\/\/[^)]*\/blob\/v[\d.]+\/docs\//);
	await expect(notes('v0.0.9')).rejects.toMatchObject({ code: 1 });
});
