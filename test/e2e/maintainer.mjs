/**
 * `npm run test:maintainer`: does what a maintainer does, on a clone of the last commit. Changes a label during `npm run dev`,
 * until an open editor shows it. Makes a first release, then one with only fixes, with the steps of CONTRIBUTING.md and
 * publish.yml and with a registry on 127.0.0.1, and installs each by its name into a real n8n.
 */

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import getPort from 'get-port';

import { atEnd, main } from '../../scripts/lib/program.mjs';
import { PACKAGE_NAME, ROOT } from '../../scripts/lib/project.mjs';
import { startServer } from '../../scripts/lib/server.mjs';
import { temporaryFolder } from '../../scripts/lib/temporary.mjs';
import { N8nClient } from '../../scripts/n8n-server/client/index.mjs';
import { openEditor } from './support/editor.mjs';
import { startServers } from './support/servers.mjs';
import { until } from './support/until.mjs';
import { createWorkflowOfOne, idLocator, NODE_TYPE } from './support/workflows.mjs';

/** Verdaccio asks for a tag of node-fetch that not every mirror of npm has. */
const REGISTRY = { dependencies: { verdaccio: '6.8.0' }, overrides: { 'node-fetch': '2.7.0' } };
/** @param {string} url npm's registry, which has all other packages */
const registrySettings = (url) => ({
	storage: './storage',
	auth: { htpasswd: { file: './htpasswd' } },
	uplinks: { npm: { url } },
	packages: {
		[PACKAGE_NAME]: { access: '$all', publish: '$all' },
		'**': { access: '$all', proxy: 'npm' },
	},
});
const FIXES = '## [0.1.1]\n\n### Fixed\n\n- A label.\n\n';
/** As a maintainer changes the lines that `npm run publish:dry` lists. */
const RELEASED = /** @type {const} */ ([
	[/maintainers@[a-z0-9.-]+\.example/g, 'maintainers@company.com'],
	[/,? once (it|the package) is on npm/gi, ''],
]);

/** Includes npm ci, and the install of n8n. */
const START_TIMEOUT_MS = 20 * 60_000;
const LABEL = { file: 'nodes/shared/fields/kinds.ts', text: 'Simplify' };

const folder = temporaryFolder('maintainer');
const clone = join(folder, 'clone');
// npm passes its settings of this checkout on to its scripts.
const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
const inClone = execa({
	cwd: clone,
	env: {
		...Object.fromEntries(own),
		GITHUB_REPOSITORY: 'n8n-nodes-payment-collection/n8n-nodes-payment-collection',
	},
	extendEnv: false,
	stdout: ['pipe', 'inherit'],
	stderr: 'inherit',
});

/**
 * @param {string} name
 * @param {(text: string) => string} change
 */
async function edit(name, change) {
	const path = join(clone, name);
	await writeFile(path, change(await readFile(path, 'utf8')));
}

/** Fails unless a changed label appears in an open editor. */
async function changeLabel() {
	const ports = await Promise.all([1, 2, 3].map(() => getPort({ host: '127.0.0.1' })));
	const [port, sandboxPort, mailPort] = ports;
	const options = [
		...['--port', `${port}`, '--sandbox-port', `${sandboxPort}`, '--mail-port', `${mailPort}`],
		...['--user-folder', join(folder, 'n8n')],
	];
	const demo = inClone({ detached: true, reject: false })`npm run dev -- ${options}`;
	let output = '';
	demo.stdout.on('data', (data) => (output += data));
	const stop = async () => {
		if (demo.pid !== undefined) process.kill(-demo.pid, 'SIGINT');
		await demo;
	};
	const takeBack = atEnd(stop);
	await until(() => assert.match(output, /Ctrl-C stops everything/), START_TIMEOUT_MS);
	const [, email = '', password = ''] = /e-mail +(\S+)\s+password +(\S+)/.exec(output) ?? [];
	const n8n = new N8nClient(`http://127.0.0.1:${port}`);
	await n8n.logIn({ email, password });
	const editor = await openEditor(n8n);
	assert.ok(editor, 'needs Chromium');
	await editor.add('Get charge');
	await editor.page.getByText('Simplify', { exact: true }).waitFor();
	const savedAt = Date.now();
	await edit(LABEL.file, (text) => text.replace(`'${LABEL.text}'`, "'Simplify it'"));
	await editor.page.getByText('Simplify it', { exact: true }).waitFor();
	console.log(
		`The editor showed a new label ${(Date.now() - savedAt) / 1000} s after it was saved.`,
	);
	await editor.close();
	await stop();
	takeBack();
	await inClone`git checkout --quiet .`;
}

/** @returns {Promise<string[]>} npm's options to use a new registry */
async function startRegistry() {
	const cwd = join(folder, 'registry');
	await mkdir(cwd);
	await writeFile(join(cwd, 'package.json'), JSON.stringify(REGISTRY));
	const { stdout: url } = await execa({ cwd })`npm config get registry`;
	await writeFile(join(cwd, 'settings.yaml'), JSON.stringify(registrySettings(url)));
	await execa({ cwd, stdio: 'inherit' })`npm install --ignore-scripts --loglevel=error`;
	const address = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
	const program = join(cwd, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
	const options = ['--config', 'settings.yaml', '--listen', address];
	await startServer('verdaccio', [process.execPath, program, ...options], {
		cwd,
		env: process.env,
		logFile: join(folder, 'registry.log'),
		isReady: (log) => log.includes(`http://${address}/`),
	});
	// npm publishes only with a token, and the registry accepts any.
	return [`--registry=http://${address}/`, `--//${address}/:_authToken=made-up`];
}

/**
 * @param {string} version
 * @param {string[]} registry
 */
async function release(version, registry) {
	const tag = `v${version}`;
	await inClone`npm version --no-git-tag-version --allow-same-version ${version}`;
	await inClone`git commit --quiet --all --message ${tag}`;
	await inClone`git tag ${tag}`;
	await inClone`npm run publish:dry -- ${tag}`;
	await inClone`npm publish --provenance=false ${registry}`;
	await inClone`npm pack ${`${PACKAGE_NAME}@${version}`} --pack-destination ${folder} ${registry}`;
	const { stdout: notes } = await inClone`node scripts/release.mjs ${tag}`;
	assert.match(notes, /^(The first version\.|### Fixed)\n/);
	// The next run of CI, on a version that npm has.
	await inClone`npm run publish:dry`;
	await inClone`npx jest test/package`;
}

/**
 * @param {string} version
 * @param {string[]} registry
 */
async function installByName(version, registry) {
	const { n8n, sandbox, credential, stop } = await startServers({
		install: async (userFolder) => {
			const cwd = join(userFolder, '.n8n', 'nodes');
			await mkdir(cwd, { recursive: true });
			const npm = execa({ cwd, stdio: 'inherit' });
			await npm`npm install --omit=peer ${`${PACKAGE_NAME}@${version}`} ${registry}`;
			const manifest = join(cwd, 'node_modules', PACKAGE_NAME, 'package.json');
			assert.equal(JSON.parse(await readFile(manifest, 'utf8')).version, version);
		},
	});
	const names = (await n8n.nodeTypes()).map(({ name }) => name);
	for (const name of [NODE_TYPE, `${NODE_TYPE}Trigger`]) assert.ok(names.includes(name), name);
	const { id } = sandbox.insertCharge();
	const parameters = { resource: 'charge', operation: 'get', chargeId: idLocator(id) };
	const { output } = await (await createWorkflowOfOne(n8n, credential, parameters)).run();
	assert.equal(output[0]?.['id'], id);
	await stop();
}

await main(async () => {
	await execa({ stdio: 'inherit' })`git clone --quiet ${ROOT} ${clone}`;
	for (const setting of ['user.name=me', 'user.email=me@company.com'])
		await inClone`git config ${setting.split('=')}`;
	await changeLabel();

	const registry = await startRegistry();
	for (const [pattern, by] of RELEASED) {
		const { stdout: names } = await inClone`git grep -liE ${pattern.source} -- package.json *.md`;
		for (const name of names.split('\n')) await edit(name, (text) => text.replace(pattern, by));
	}
	await edit('CHANGELOG.md', (text) => text.replace('[Unreleased]', '[0.1.0]'));
	await release('0.1.0', registry);
	await installByName('0.1.0', registry);

	await edit('CHANGELOG.md', (text) => text.replace('## [0.1.0]', `${FIXES}## [0.1.0]`));
	await release('0.1.1', registry);
	await installByName('0.1.1', registry);
	console.log('3 passed, 0 failed');
});
