import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { API_KEY_HEADER } from '../../contract/constants';
import { DEMO_API_KEY } from '../../sandbox';
import { ROOT } from '../package/project';

const SCRIPT = join(ROOT, 'scripts/sandbox.mjs');

/** Starts the command, reads a path of the sandbox with a key, and ends the command as Ctrl-C does. */
async function read(path: string, key: string, args: string[], env: NodeJS.ProcessEnv = {}) {
	const child = spawn(process.execPath, [SCRIPT, '--port', '0', ...args], {
		env: { ...process.env, ...env },
	});
	const ended = once(child, 'exit');
	let printed = '';
	for await (const text of child.stdout) {
		printed += String(text);
		if (printed.includes('Ctrl-C')) break;
	}
	const [url = ''] = /http:\S+/.exec(printed) ?? [];
	const headers = { [API_KEY_HEADER]: key };
	const { data } = await axios.get<unknown>(url + path, { headers, proxy: false });
	child.kill('SIGINT');
	expect(await ended).toEqual([0, null]);
	return { data, printed };
}

describe('npm run sandbox', () => {
	it('starts a sandbox with the options', async () => {
		const args = ['--seed', '3', '--charges', '7', '--customers', '2'];
		const { data, printed } = await read('/_sandbox/state', '', args);
		expect(data).toMatchObject({ seed: 3, counts: { charges: 7, customers: 2 } });
		expect(printed).toContain(DEMO_API_KEY);
	});

	it('takes the key from the flag or the environment, and never prints it', async () => {
		const runs = await Promise.all([
			read('/v1/charges', 'own-key', ['--api-key', 'own-key']),
			read('/v1/charges', 'own-key', [], { PAYMENT_SANDBOX_API_KEY: 'own-key' }),
		]);
		for (const { data, printed } of runs) {
			expect(data).toHaveProperty('results');
			expect(printed).not.toContain('own-key');
		}
	});

	it.concurrent.each([
		['--port', '70000', 'It must be a whole number up to 65535'],
		['--charges-per-minute', '6001', '--charges-per-minute'],
		['--colour', 'red', '--colour'],
	])('says what is wrong with %s %s', async (flag, value, text) => {
		const run = promisify(execFile)(process.execPath, [SCRIPT, flag, value]);
		await expect(run).rejects.toMatchObject({
			code: 1,
			stderr: expect.stringContaining(text) as string,
		});
	});
});
