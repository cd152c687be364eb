#!/usr/bin/env node
import { types } from 'node:util';
import { HELP, parseCommandLine, UsageError } from './commandLine';
import { DEMO_API_KEY, type Sandbox, startSandbox } from './server';

/**
 * Starts the sandbox from a terminal, and ends it on SIGINT and SIGTERM. Exit code 2 is a wrong flag, 1 a
 * failed start.
 */

export interface Terminal {
	print(text: string): void;
	printError(text: string): void;
}

/** Answers the running sandbox, or the exit code when there is nothing to run. */
export async function run(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
	terminal: Terminal,
): Promise<Sandbox | number> {
	try {
		const options = parseCommandLine(args, environment);
		if (options === 'help') {
			terminal.print(HELP);
			return 0;
		}
		const sandbox = await startSandbox(options);
		terminal.print(announce(sandbox, options.chargesPerMinute ?? 0));
		return sandbox;
	} catch (error) {
		if (error instanceof UsageError) {
			terminal.printError(`${error.message}. See --help.\n`);
			return 2;
		}
		terminal.printError(`${explain(error)}\n`);
		return 1;
	}
}

function announce({ url, apiKey, store }: Sandbox, perMinute: number): string {
	const { seed, counts } = store.options;
	const key = apiKey === DEMO_API_KEY ? `${apiKey} (built in, for demos)` : 'as given, not shown';
	const arrivals = perMinute > 0 ? `, ${perMinute} new charges a minute` : '';
	return [
		`Payment collection sandbox at ${url}`,
		`API key: ${key}`,
		`Seed ${seed}: ${counts.charges} charges, ${counts.customers} customers${arrivals}`,
		`Steering: ${url}/_sandbox. Stop with Ctrl+C.`,
		'',
	].join('\n');
}

function explain(error: unknown): string {
	if (!types.isNativeError(error)) return String(error);
	const { code, port, address } = error as NodeJS.ErrnoException & {
		port?: number;
		address?: string;
	};
	if (code === 'EADDRINUSE')
		return `Port ${port} of ${address} is in use: choose another with --port`;
	if (code === 'EACCES')
		return `Port ${port} of ${address} may not be opened: choose another with --port`;
	return error.message;
}

async function main(): Promise<void> {
	const outcome = await run(process.argv.slice(2), process.env, {
		print: (text) => process.stdout.write(text),
		printError: (text) => process.stderr.write(text),
	});
	if (typeof outcome === 'number') {
		process.exitCode = outcome;
		return;
	}
	const stop = () => void outcome.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

if (require.main === module) void main();
