import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');

it('can be published by the workflow alone, since npm asks for provenance', async () => {
	const methods: (string | undefined)[] = [];
	const server = createServer(({ method }, response) => {
		methods.push(method);
		response.writeHead(404).end('{}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const registry = `//127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const args = ['publish', `--registry=http:${registry}`, `--${registry}:_authToken=made-up`];
	// Without the variables by which npm knows GitHub.
	const { PATH, HOME } = process.env;
	const refused = run('npm', args, { cwd: ROOT, env: { PATH, HOME } });
	await refused.catch(() => undefined).finally(() => server.close());
	await expect(refused).rejects.toThrow(/provenance generation not supported/);
	expect(methods).not.toContain('PUT');
});

it('is released with its section of the changelog, whose links work outside of the repository', async () => {
	const notes = async (...args: string[]) =>
		(await run(process.execPath, ['scripts/releaseNotes.mjs', ...args], { cwd: ROOT })).stdout;
	expect(await notes()).toMatch(/### Added[^]*\]\(https:\/\/[^)]*\/blob\/v[\d.]+\/docs\//);
	await expect(notes('v0.0.9')).rejects.toMatchObject({ code: 1 });
});
