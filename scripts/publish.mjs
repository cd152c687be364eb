/**
 * `npm run publish:dry`: all that publishing does but for the publishing. Builds the package, has n8n's own scan look
 * at it, packs it and lets npm say what it would publish. The publishing workflow runs it too:
 *
 *   --tag v1.2.3    the version must be this one, and the changelog must have a section for it
 *   --out <folder>  leaves the packed file there
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { build } from './build.mjs';
import { atEnd, main, UserError } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { scan } from './scan.mjs';

const run = promisify(execFile);

const { values: options } = parseArgs({
	options: { tag: { type: 'string' }, out: { type: 'string' } },
});

/** @param {string} tag */
async function checkRelease(tag) {
	const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	if (tag !== `v${version}`) throw new UserError(`package.json says ${version}, the tag ${tag}`);
	const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
	if (!changelog.includes(`\n## [${version}]`)) {
		throw new UserError(`CHANGELOG.md has no section “## [${version}]”`);
	}
}

async function outFolder() {
	if (options.out === undefined) {
		const temporary = await mkdtemp(join(tmpdir(), 'publish-'));
		atEnd(() => rm(temporary, { recursive: true, force: true }));
		return temporary;
	}
	const folder = resolve(options.out);
	await mkdir(folder, { recursive: true });
	return folder;
}

await main(async () => {
	if (options.tag !== undefined) await checkRelease(options.tag);
	await build();
	const problems = await scan();
	if (problems.length > 0) throw new UserError(problems.join('\n'));
	console.log("n8n's scan of the sources and of the tarball: nothing found.");

	const folder = await outFolder();
	const packed = await run(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: ROOT },
	);
	const [{ filename, shasum }] = JSON.parse(packed.stdout);
	const file = join(folder, filename);
	await run('npm', ['publish', file, '--dry-run', '--ignore-scripts', '--access', 'public'], {
		cwd: ROOT,
	});
	console.log(`npm would publish ${filename} (SHA-1 ${shasum}).`);
});
