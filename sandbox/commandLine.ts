import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
	DEFAULT_COUNTS,
	DEFAULT_HOST,
	DEFAULT_SEED,
	DEMO_API_KEY,
	type SandboxOptions,
} from './server';
import { DEFAULT_SWITCHES, switchPatchSchema } from './behaviour/switches';

/** What the command line of the sandbox means. Nothing here starts anything. */

const DEFAULT_PORT = 4010;
/** Beats a key in plain sight of every process list. */
export const API_KEY_VARIABLE = 'PAYMENT_SANDBOX_API_KEY';
const MAX_PORT = 65_535;
const MAX_RECORDS = 1_000_000;
const MAX_CHARGES_PER_MINUTE = 6_000;
const ROW_ORDERS = switchPatchSchema.shape.rowOrder.unwrap().options;

interface Flags {
	port: number;
	host: string;
	seed: number;
	charges: number;
	customers: number;
	chargesPerMinute: number;
	apiKey?: string;
	rowOrder: (typeof ROW_ORDERS)[number];
	maxPageSize: number;
}

const whole =
	(least: number, most = Number.MAX_SAFE_INTEGER) =>
	(text: string): number => {
		if (/^-?\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
		throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
	};

function perMinute(text: string): number {
	if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= MAX_CHARGES_PER_MINUTE) return Number(text);
	throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_CHARGES_PER_MINUTE}.`);
}

const command = (): Command =>
	new Command('sandbox')
		.description(
			'Payment collection sandbox: the whole service on this machine, with made-up data.',
		)
		.option('--port <n>', 'port, 0 for any free one', whole(0, MAX_PORT), DEFAULT_PORT)
		.option('--host <address>', 'address to listen on', DEFAULT_HOST)
		.option('--seed <n>', 'same seed, same data', whole(Number.MIN_SAFE_INTEGER), DEFAULT_SEED)
		.option('--charges <n>', 'charges to begin with', whole(0, MAX_RECORDS), DEFAULT_COUNTS.charges)
		.option(
			'--customers <n>',
			'customers to begin with',
			whole(0, MAX_RECORDS),
			DEFAULT_COUNTS.customers,
		)
		.option(
			'--charges-per-minute <n>',
			'new charges that keep arriving, 0.5 is one every two minutes',
			perMinute,
			0,
		)
		.option(
			'--api-key <key>',
			`key that requests must carry; or ${API_KEY_VARIABLE} (default: a built-in demo key)`,
		)
		.addOption(
			new Option('--row-order <order>', 'of lists')
				.choices(ROW_ORDERS)
				.default(DEFAULT_SWITCHES.rowOrder),
		)
		.option('--max-page-size <n>', 'greatest page', whole(1), DEFAULT_SWITCHES.maxPageSize)
		.exitOverride()
		.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });

export const HELP = `${command().helpInformation()}
Everything else is switched while it runs: see <address>/_sandbox.
`;

/** A mistake on the command line, told in one line. */
export class UsageError extends Error {}

/** Options of the sandbox, or `help`. Throws UsageError. */
export function parseCommandLine(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
): SandboxOptions | 'help' {
	const line = command();
	try {
		line.parse(args, { from: 'user' });
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		if (error.code === 'commander.helpDisplayed') return 'help';
		throw new UsageError(error.message.replace(/^error: |\.$/g, ''));
	}
	const { port, host, seed, charges, customers, chargesPerMinute, ...flags } = line.opts<Flags>();
	const apiKey = flags.apiKey ?? environment[API_KEY_VARIABLE] ?? DEMO_API_KEY;
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new UsageError('The API key must be printable ASCII without spaces');
	}
	const { rowOrder, maxPageSize } = flags;
	return {
		...{ port, host, apiKey, seed, chargesPerMinute },
		counts: { charges, customers },
		switches: { rowOrder, maxPageSize },
	};
}
