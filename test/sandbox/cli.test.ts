import { keepArriving } from '../../sandbox/store/arrivals';
import { run } from '../../sandbox/cli';
import { API_KEY_VARIABLE, HELP, parseCommandLine } from '../../sandbox/commandLine';
import { DEMO_API_KEY, type Sandbox, startSandbox } from '../../sandbox';

async function start(args: string[], environment: Record<string, string> = {}) {
	const printed: string[] = [];
	const errors: string[] = [];
	const outcome = await run(args, environment, {
		print: (text) => printed.push(text),
		printError: (text) => errors.push(text),
	});
	return { outcome, printed: printed.join(''), errors: errors.join('') };
}

async function running(
	args: string[],
	environment: Record<string, string>,
	check: (sandbox: Sandbox, printed: string) => Promise<void> | void,
): Promise<void> {
	const { outcome, printed } = await start(['--port', '0', ...args], environment);
	if (typeof outcome === 'number') throw new Error(`exit code ${outcome}`);
	try {
		await check(outcome, printed);
	} finally {
		await outcome.close();
	}
}

describe('the command line', () => {
	it('explains every option', async () => {
		const { outcome, printed } = await start(['--help']);
		expect(outcome).toBe(0);
		expect(printed).toBe(HELP);
		const flags =
			'port host seed charges customers charges-per-minute api-key row-order max-page-size';
		for (const flag of flags.split(' ')) expect(HELP).toContain(`--${flag} `);
	});

	it('starts a sandbox as told', async () => {
		const args = ['--seed=-3', '--charges', '7', '--customers', '2'];
		args.push('--row-order', 'oldestFirst', '--max-page-size', '5');
		await running(args, {}, async ({ url, switches, store }, printed) => {
			expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
			expect(switches).toMatchObject({ rowOrder: 'oldestFirst', maxPageSize: 5 });
			expect(store.options).toMatchObject({ seed: -3, counts: { charges: 7, customers: 2 } });
			expect(printed).toContain(url);
			expect(printed).toContain(DEMO_API_KEY);
		});
	});

	it('takes the key from the flag or the environment, and never prints it', async () => {
		const environment = { [API_KEY_VARIABLE]: 'from-environment' };
		await running([], environment, ({ apiKey }, printed) => {
			expect(apiKey).toBe('from-environment');
			expect(printed).not.toContain(apiKey);
		});
		await running(['--api-key', 'from-flag'], environment, ({ apiKey }, printed) => {
			expect(apiKey).toBe('from-flag');
			expect(printed).not.toContain(apiKey);
		});
	});

	it.each([
		[['--port', 'x'], 'It must be a whole number from 0 to 65535'],
		[['--port', '70000'], '--port'],
		[['--port'], '--port'],
		[['--seed', '1.5'], '--seed'],
		[['--charges', '-1'], '--charges'],
		[['--charges-per-minute', 'many'], '--charges-per-minute'],
		[['--charges-per-minute', '6001'], '--charges-per-minute'],
		[['--row-order', 'sideways'], 'newestFirst, oldestFirst'],
		[['--max-page-size', '0'], '--max-page-size'],
		[['--api-key', 'two words'], 'API key'],
		[['--colour', 'red'], '--colour'],
		[['serve'], 'too many arguments'],
	])('tells in one line what is wrong with %j', async (args, text) => {
		const { outcome, errors, printed } = await start(args);
		expect(outcome).toBe(2);
		expect(errors).toContain(text);
		expect(errors.trimEnd()).not.toContain('\n');
		expect(printed).toBe('');
	});

	it('tells in one line that a port is in use', async () => {
		await running([], {}, async ({ url }) => {
			const { port } = new URL(url);
			const { outcome, errors } = await start(['--port', port]);
			expect(outcome).toBe(1);
			expect(errors).toBe(`Port ${port} of 127.0.0.1 is in use: choose another with --port\n`);
		});
	});

	it('reads fractions of a charge per minute', () => {
		expect(parseCommandLine(['--charges-per-minute', '0.5'], {})).toMatchObject({
			chargesPerMinute: 0.5,
		});
	});
});

describe('arrivals', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('come evenly until they are stopped, and not at all at none a minute', () => {
		let arrived = 0;
		const stop = keepArriving(() => (arrived += 1), 6);
		keepArriving(() => (arrived += 100), 0);
		jest.advanceTimersByTime(60_000);
		expect(arrived).toBe(6);
		stop();
		jest.advanceTimersByTime(60_000);
		expect(arrived).toBe(6);
	});
});

describe('a sandbox with arrivals', () => {
	it('gets new charges while it runs, and none after', async () => {
		const sandbox = await startSandbox({ counts: { charges: 0 }, chargesPerMinute: 6_000 });
		const deadline = Date.now() + 2_000;
		while (sandbox.store.charges.size < 3 && Date.now() < deadline) {
			await new Promise((done) => setTimeout(done, 10));
		}
		await sandbox.close();
		const { size } = sandbox.store.charges;
		expect(size).toBeGreaterThanOrEqual(3);
		await new Promise((done) => setTimeout(done, 50));
		expect(sandbox.store.charges.size).toBe(size);
	});
});
