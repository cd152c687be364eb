import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { execa } from 'execa';

import { ROOT } from '../../scripts/lib/project.mjs';
import { startPostgres } from '../../scripts/postgres/server.mjs';
import { query } from './support/examples/database.mjs';
import { until } from './support/until.mjs';

const folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-postgres-'));
after(() => rm(folder, { recursive: true, force: true }));

/** @param {string} url */
const isSilent = async (url) =>
	await query(url, 'select 1').then(
		() => false,
		(error) => error.code === 'ECONNREFUSED',
	);

test('PostgreSQL starts in a folder that only its owner may enter, and goes on with its data, also after a power cut', async () => {
	const first = await startPostgres({ folder });
	assert.deepEqual(await query(first.url, "select current_setting('TimeZone') as zone"), [
		{ zone: 'UTC' },
	]);
	await query(first.url, 'create table kept (amount numeric)');
	await query(first.url, "insert into kept values ('0.10')");
	await first.stop();
	assert.ok(await isSilent(first.url));

	const second = await startPostgres({ folder, settings: { max_connections: '7' } });
	assert.deepEqual(await query(second.url, 'show max_connections'), [{ max_connections: '7' }]);
	await query(second.url, "insert into kept values ('0.20')");
	await second.kill();

	const third = await startPostgres({ folder });
	assert.deepEqual(await query(third.url, 'select sum(amount) as total from kept'), [
		{ total: '0.30' },
	]);
	assert.equal(third.password, first.password);
	const wrong = third.url.replace(third.password, 'wrong');
	await assert.rejects(query(wrong, 'select 1'), /password authentication failed/);
	await third.stop();
});

test('PostgreSQL ends with the program that started it, even if that is killed', async () => {
	const server = pathToFileURL(join(ROOT, 'scripts', 'postgres', 'server.mjs')).href;
	const program = `
		const { startPostgres } = await import(${JSON.stringify(server)});
		const { url } = await startPostgres({ folder: ${JSON.stringify(folder)} });
		console.log(url);
		setInterval(() => {}, 1000);
	`;
	const args = ['--input-type=module', '--eval', program];
	const child = execa(process.execPath, args, { reject: false });
	let output = '';
	child.stdout.on('data', (data) => (output += data));
	await until(
		() => output.includes('\n') || child.exitCode !== null,
		() => 'nothing was started',
	);
	const url = output.trim();
	assert.equal(await isSilent(url), false);
	child.kill('SIGKILL');
	await child;
	await until(
		async () => await isSilent(url),
		() => 'PostgreSQL still runs',
		15_000,
	);
});
