/**
 * `npm run test:versions [-- line …]`: the end-to-end tests of what differs between the versions of n8n, in a real n8n
 * of each line that is supported, one after another. Each is installed where it is not there yet.
 */

import { Argument, Command } from 'commander';
import { execaNode } from 'execa';

import { atEnd, isStopping, main } from '../../scripts/lib/program.mjs';
import { ROOT } from '../../scripts/lib/project.mjs';

const LINES = ['1.123', '2.20', '2.36', '2.41'];

const command = new Command('npm run test:versions --').addArgument(
	new Argument('[lines...]', 'of n8n').choices(LINES).default(LINES),
);

const FILES = [
	'nodes',
	'operations',
	'idempotency-key',
	'places',
	'trigger',
	'payment-agent',
	'refund-with-approval',
].map((name) => `${name}.test.mjs`);

/**
 * @param {string} line
 * @returns {Promise<{ isFine: boolean, summary: string }>}
 */
async function testLine(line) {
	console.log(`\n== n8n ${line}`);
	const started = Date.now();
	const run = execaNode('scripts/run.mjs', ['test/e2e/run.mjs', ...FILES], {
		cwd: ROOT,
		env: { N8N_LINE: line },
		stdout: ['pipe', 'inherit'],
		stderr: 'inherit',
		reject: false,
	});
	const takeBack = atEnd(async () => {
		run.kill();
		await run;
	});
	const { failed, stdout } = await run;
	takeBack();
	const [, version = line] = /^Starting .* n8n ([\d.]+) /m.exec(stdout) ?? [];
	const [result = 'did not run to its end'] = /^\d+ passed, \d+ failed$/m.exec(stdout) ?? [];
	const took = `${Math.round((Date.now() - started) / 1000)} s`;
	return { isFine: !failed, summary: `n8n ${version.padEnd(10)} ${result.padEnd(24)} ${took}` };
}

await main(async () => {
	const [lines] = command.parse().processedArgs;
	const results = [];
	for (const line of lines) if (!isStopping()) results.push(await testLine(line));
	console.log(`\n${results.map(({ summary }) => summary).join('\n')}`);
	return results.every(({ isFine }) => isFine) ? 0 : 1;
});
