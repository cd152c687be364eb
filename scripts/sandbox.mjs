/** `npm run sandbox`: the embedded payment service alone. `npm run sandbox -- --help` lists its options. */

import { join } from 'node:path';

import { execaNode } from 'execa';

import { build } from './build.mjs';
import { main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

await main(
	async () => {
		await build();
		const cli = join(ROOT, 'build', 'sandbox', 'cli.js');
		const { exitCode } = await execaNode(cli, process.argv.slice(2), {
			stdio: 'inherit',
			reject: false,
		});
		return exitCode;
	},
	{ untilStopped: true },
);
