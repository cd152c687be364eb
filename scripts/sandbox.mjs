/** `npm run sandbox`: the payment service only. */

import { Command, Option } from 'commander';

import { main, wholeNumber } from './lib/program.mjs';
import { DEFAULT_COUNTS, DEMO_API_KEY, startSandbox } from './lib/sandbox.mjs';

const MAX_RECORDS = 1_000_000;

const command = new Command('npm run sandbox --')
	.description('Starts the whole payment service, with made-up data.')
	.option('--port <number>', 'port, 0 for any free one', wholeNumber(65_535), 4010)
	.option('--host <address>', 'address to listen on', '127.0.0.1')
	.option('--seed <number>', 'same seed, same data', wholeNumber(), 1)
	.option('--charges <number>', 'at the start', wholeNumber(MAX_RECORDS), DEFAULT_COUNTS.charges)
	.option(
		'--customers <number>',
		'at the start',
		wholeNumber(MAX_RECORDS),
		DEFAULT_COUNTS.customers,
	)
	.option('--charges-per-minute <number>', 'new charges that keep arriving', wholeNumber(6_000), 0)
	.addOption(
		new Option('--api-key <key>', 'key that requests must carry')
			// Keeps the key out of process lists, which show flags.
			.env('PAYMENT_SANDBOX_API_KEY')
			.default(DEMO_API_KEY),
	)
	.addHelpText('after', '\nEverything else is switched while it runs: see <address>/_sandbox.')
	.allowExcessArguments(false);

await main(
	async () => {
		const { charges, customers, ...options } = command.parse().opts();
		const { url, apiKey } = await startSandbox({ ...options, counts: { charges, customers } });
		console.log(`Payment collection sandbox at ${url}
API key: ${apiKey === DEMO_API_KEY ? `${apiKey} (built in, for demos)` : 'as given, not shown'}
Seed ${options['seed']}: ${charges} charges, ${customers} customers, ${options['chargesPerMinute']} new charges a minute
Steering: ${url}/_sandbox. Ctrl-C stops it.`);
		await new Promise(() => {});
	},
	{ untilStopped: true },
);
