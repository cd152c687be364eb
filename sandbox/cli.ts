import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_HOST, type Sandbox, startSandbox } from './index';
import { DEFAULT_COUNTS, DEFAULT_SEED, DEMO_API_KEY } from './service';

/** Starts the sandbox from a terminal. Exit code 1 is a wrong flag or a failed start. */

/** Keeps the key out of process lists, which show flags. */
export const API_KEY_VARIABLE = 'PAYMENT_SANDBOX_API_KEY';
const MAX_RECORDS = 1_000_000;
const MAX_CHARGES_PER_MINUTE = 6_000;

const number =
	(least: number, most: number, pattern = /^-?\d+$/) =>
	(text: string): number => {
		if (pattern.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
		throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
	};
const count = number(0, MAX_RECORDS);
const anyWhole = number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const perMinute = number(0, MAX_CHARGES_PER_MINUTE, /^\d+(\.\d+)?$/);

interface Flags {
	port: number;
	host: string;
	seed: number;
	charges: number;
	customers: number;
	chargesPerMinute: number;
	apiKey: string;
}

/** The command line of the sandbox; `start` gets what it says. */
export const command = (start: (flags: Flags) => Promise<void>): Command =>
	new Command('sandbox')
		.description('Payment collection sandbox: the whole service, with made-up data.')
		.option('--port <n>', 'port, 0 for any free one', number(0, 65_535), 4010)
		.option('--host <address>', 'address to listen on', DEFAULT_HOST)
		.option('--seed <n>', 'same seed, same data', anyWhole, DEFAULT_SEED)
		.option('--charges <n>', 'charges to begin with', count, DEFAULT_COUNTS.charges)
		.option('--customers <n>', 'customers to begin with', count, DEFAULT_COUNTS.customers)
		.option('--charges-per-minute <n>', 'new charges that keep arriving', perMinute, 0)
		.addOption(
			new Option('--api-key <key>', 'key that requests must carry')
				.env(API_KEY_VARIABLE)
				.default(DEMO_API_KEY),
		)
		.addHelpText('after', '\nEverything else is switched while it runs: see <address>/_sandbox.')
		.allowExcessArguments(false)
		.action(start);

/** Starts a sandbox as the flags say and prints where it is. */
export async function run(flags: Flags, print: (text: string) => void): Promise<Sandbox> {
	const { charges, customers, ...options } = flags;
	const sandbox = await startSandbox({ ...options, counts: { charges, customers } });
	const { url, apiKey } = sandbox;
	const key = apiKey === DEMO_API_KEY ? `${apiKey} (built in, for demos)` : 'as given, not shown';
	const arrivals = flags.chargesPerMinute;
	print(
		[
			`Payment collection sandbox at ${url}`,
			`API key: ${key}`,
			`Seed ${flags.seed}: ${charges} charges, ${customers} customers, ${arrivals} new charges a minute`,
			`Steering: ${url}/_sandbox. Stop with Ctrl+C.`,
			'',
		].join('\n'),
	);
	return sandbox;
}

/** Runs until a signal ends it. */
export async function main(): Promise<void> {
	const program = command(async (flags) => {
		const sandbox = await run(flags, (text) => process.stdout.write(text));
		for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.close());
	});
	// Commander itself says what is wrong with a flag. This is about a port in use, say.
	await program.parseAsync().catch((error: unknown) => program.error(`error: ${String(error)}`));
}
