/**
 * Checks what n8n checks before it verifies a community package. Without arguments, it checks this checkout, offline: by
 * n8n's own scan of the sources and of dist/ (`npm run build`), and by a list of the files that may be published. With
 * --published: n8n's scan of what npm has of this version, of its provenance, and of the sources that the provenance names.
 */

import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import { execa } from 'execa';
import pWaitFor from 'p-wait-for';

import { main } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const require = createRequire(import.meta.url);
const { name, version, n8n } = require('../package.json');

const MAX_TARBALL_BYTES = 85_000;
const REQUIRED_FILES = ['package.json', 'README.md', 'LICENSE'];
const ALLOWED_FILES = /^(dist\/.*\.(js|json|svg)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;

/** @returns {Promise<string[]>} what is wrong with the tarball that npm would publish */
async function contentProblems() {
	const { stdout } = await execa('npm', ['pack', '--dry-run', '--json'], { cwd: ROOT });
	/** @type {[{ size: number, files: { path: string }[] }]} */
	const [{ size, files }] = JSON.parse(stdout);
	const names = files.map(({ path }) => path);
	console.log(`The tarball has ${names.length} files, ${(size / 1000).toFixed(1)} kB packed.`);
	return [
		...(size > MAX_TARBALL_BYTES ? [`it has more than ${MAX_TARBALL_BYTES} bytes`] : []),
		...REQUIRED_FILES.filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
		...names
			.filter((name) => !ALLOWED_FILES.test(name))
			.map((name) => `${name} does not belong into it`),
	];
}

/** Loads the files that package.json names, as n8n does on its start. */
function load() {
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const [className = ''] = basename(file).split('.');
		new (require(join(ROOT, file))[className])();
	}
}

async function scanner() {
	// The scanner makes a temporary folder when it is loaded and leaves it behind: let it be one that goes.
	process.env['TMPDIR'] = temporaryFolder('package-scan');
	return await import('@n8n/scan-community-package/scanner/scanner.mjs');
}

/** @param {{ passed: boolean, message?: string, details?: string }[]} results of n8n's scan */
const findings = (results) =>
	results.flatMap(({ passed, message, details }) =>
		passed ? [] : [`n8n's scan: ${message}\n${details ?? ''}`],
	);

/** @returns {Promise<string[]>} what n8n's own scan finds in this checkout */
async function scanProblems() {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await scanner();
	return findings([
		await analyzePackage(ROOT, SOURCE_FILE_PATTERNS),
		await analyzePackage(join(ROOT, 'dist'), ['**/*.js']),
	]);
}

/** @returns {Promise<string[]>} what it finds in what npm has; the scanner's own command would exit with 0 */
async function publishedProblems() {
	const view = ['view', '--prefer-online', `${name}@${version}`, 'dist.attestations.url'];
	// npm takes a moment to show a new version.
	await pWaitFor(async () => (await execa('npm', view, { reject: false })).stdout !== '', {
		interval: 5_000,
		timeout: { milliseconds: 300_000, message: `npm shows no provenance of ${name}@${version}` },
	});
	return findings([await (await scanner()).analyzePackageByName(name, version)]);
}

await main(async () => {
	const isPublished = process.argv.includes('--published');
	if (!isPublished) load();
	const problems = isPublished
		? await publishedProblems()
		: [...(await contentProblems()), ...(await scanProblems())];
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) return 1;
	console.log(`n8n's scan of what ${isPublished ? 'was' : 'would be'} published: nothing found.`);
	return 0;
});
