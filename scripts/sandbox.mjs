/** `npm run sandbox`: the embedded payment service alone. `npm run sandbox -- --help` lists its options. */

import { join } from 'node:path';

import { ensureDependencies } from './lib/dependencies.mjs';
import { start } from './lib/process.mjs';
import { main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';

await main(
	async () => {
		await ensureDependencies();
		const { build } = await import('./build.mjs');
		await build();
		const cli = join(ROOT, 'build', 'sandbox', 'cli.js');
		return await start(process.execPath, [cli, ...process.argv.slice(2)], { inherit: true }).ended;
	},
	{ untilStopped: true },
);
