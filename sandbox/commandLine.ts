import { parseArgs } from 'node:util';
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
const MAX_CHARGES_PER_MINUTE = 6_000;
const ROW_ORDERS = switchPatchSchema.shape.rowOrder.unwrap().options;

export const HELP = `Payment collection sandbox: the whole service on this machine, with made-up data.

Usage: sandbox [options]

  --port <n>                port, 0 for any free one (${DEFAULT_PORT})
  --host <address>          address to listen on (${DEFAULT_HOST})
  --seed <n>                same seed, same data (${DEFAULT_SEED})
  --charges <n>             charges to begin with (${DEFAULT_COUNTS.charges})
  --customers <n>           customers to begin with (${DEFAULT_COUNTS.customers})
  --charges-per-minute <n>  new charges that keep arriving, 0.5 is one every two minutes (0)
  --api-key <key>           key that requests must carry; or ${API_KEY_VARIABLE} (a built-in demo key)
  --row-order <order>       ${ROW_ORDERS.join(', ')} (${DEFAULT_SWITCHES.rowOrder})
  --max-page-size <n>       greatest page (${DEFAULT_SWITCHES.maxPageSize})
  --help                    this text

Everything else is switched while it runs: see <address>/_sandbox.
`;

/** A mistake on the command line, told in one line. */
export class UsageError extends Error {}

/** Options of the sandbox, or `help`. Throws UsageError. */
export function parseCommandLine(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
): SandboxOptions | 'help' {
	const flags = parseFlags(args);
	if (flags.help) return 'help';
	const rowOrder = ROW_ORDERS.find((order) => order === flags['row-order']);
	if (flags['row-order'] !== undefined && rowOrder === undefined) {
		throw new UsageError(`--row-order must be one of ${ROW_ORDERS.join(', ')}`);
	}
	const apiKey = flags['api-key'] ?? environment[API_KEY_VARIABLE] ?? DEMO_API_KEY;
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new UsageError('The API key must be printable ASCII without spaces');
	}
	return {
		port: whole('--port', flags.port, DEFAULT_PORT, 0, MAX_PORT),
		host: flags.host ?? DEFAULT_HOST,
		apiKey,
		seed: whole('--seed', flags.seed, DEFAULT_SEED, Number.MIN_SAFE_INTEGER),
		counts: {
			charges: whole('--charges', flags.charges, DEFAULT_COUNTS.charges, 0, 1_000_000),
			customers: whole('--customers', flags.customers, DEFAULT_COUNTS.customers, 0, 1_000_000),
		},
		chargesPerMinute: rate('--charges-per-minute', flags['charges-per-minute']),
		switches: {
			rowOrder: rowOrder ?? DEFAULT_SWITCHES.rowOrder,
			maxPageSize: whole(
				'--max-page-size',
				flags['max-page-size'],
				DEFAULT_SWITCHES.maxPageSize,
				1,
			),
		},
	};
}

function parseFlags(args: readonly string[]) {
	try {
		return parseArgs({
			args: [...args],
			options: {
				port: { type: 'string' },
				host: { type: 'string' },
				seed: { type: 'string' },
				charges: { type: 'string' },
				customers: { type: 'string' },
				'charges-per-minute': { type: 'string' },
				'api-key': { type: 'string' },
				'row-order': { type: 'string' },
				'max-page-size': { type: 'string' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		// parseArgs adds advice in further sentences; the first one names the flag.
		const message = error instanceof Error ? error.message : String(error);
		throw new UsageError(message.split(/\.\s|\n/)[0]);
	}
}

function whole(
	flag: string,
	text: string | undefined,
	fallback: number,
	least: number,
	most = Number.MAX_SAFE_INTEGER,
): number {
	if (text === undefined) return fallback;
	const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= least && value <= most) return value;
	const range = most === Number.MAX_SAFE_INTEGER ? '' : ` from ${least} to ${most}`;
	throw new UsageError(`${flag} must be a whole number${range}, not "${text}"`);
}

function rate(flag: string, text: string | undefined): number {
	if (text === undefined) return 0;
	const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
	if (value <= MAX_CHARGES_PER_MINUTE) return value;
	throw new UsageError(
		`${flag} must be a number from 0 to ${MAX_CHARGES_PER_MINUTE}, not "${text}"`,
	);
}
