import { API_KEY_VARIABLE, command, run } from '../../sandbox/cli';
import { DEMO_API_KEY, type Sandbox } from '../../sandbox';

async function start(...args: string[]) {
	const printed: string[] = [];
	const print = (text: string) => printed.push(text);
	let sandbox: Sandbox | undefined;
	await command(async (flags) => {
		sandbox = await run(flags, print);
	})
		.exitOverride()
		.configureOutput({ writeOut: print, writeErr: print })
		.parseAsync(['--port', '0', ...args], { from: 'user' });
	await sandbox?.close();
	return { sandbox, printed: printed.join('') };
}

describe('the command line', () => {
	it('starts a sandbox with the options', async () => {
		const args = ['--seed=-3', '--charges', '7', '--customers', '2'];
		const { sandbox, printed } = await start(...args);
		const { seed, counts } = sandbox?.store.options ?? {};
		expect({ seed, counts }).toMatchObject({ seed: -3, counts: { charges: 7, customers: 2 } });
		expect(printed).toContain(sandbox?.url);
		expect(printed).toContain(DEMO_API_KEY);
	});

	it('takes the key from the flag or the environment, and never prints it', async () => {
		const environment = jest.replaceProperty(process, 'env', {
			[API_KEY_VARIABLE]: 'from-environment',
		});
		const byEnvironment = await start();
		const byFlag = await start('--api-key', 'from-flag');
		environment.restore();
		expect(byEnvironment.sandbox?.apiKey).toBe('from-environment');
		expect(byFlag.sandbox?.apiKey).toBe('from-flag');
		expect(byEnvironment.printed + byFlag.printed).not.toMatch(/from-/);
	});

	it.each([
		['--port', '70000', 'It must be a number from 0 to 65535'],
		['--charges-per-minute', '6001', '--charges-per-minute'],
		['--colour', 'red', '--colour'],
	])('says what is wrong with %s %s', async (flag, value, text) => {
		await expect(start(flag, value)).rejects.toThrow(text);
	});
});
