/**
 * What n8n checks before it verifies a community package, done on this checkout and offline: n8n's own scan of the
 * sources and of the tarball that would be published, and the tarball's content. Needs dist/ (`npm run build`).
 */

import { createRequire } from 'node:module';
import { access, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { execa } from 'execa';

import { filesBelow } from './lib/folders.mjs';
import { isProgram, main, UserError } from './lib/program.mjs';
import { ROOT } from './lib/project.mjs';
import { temporaryFolder } from './lib/temporary.mjs';

const MAX_TARBALL_BYTES = 80_000;
const REQUIRED_FILES = ['package.json', 'README.md', 'LICENSE'];
const ALLOWED_FILES = /^(dist\/.*\.(js|json|svg)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;

/**
 * Packs what would be published and unpacks it in a temporary folder, in which modules are found as in this checkout.
 *
 * @param {string} folder a temporary one
 * @returns {Promise<{ size: number, unpacked: string }>}
 */
async function pack(folder) {
	const { stdout } = await execa(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: ROOT },
	);
	const [{ filename }] = JSON.parse(stdout);
	const tarball = join(folder, filename);
	await execa('tar', ['-xzf', tarball, '-C', folder]);
	await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	return { size: (await stat(tarball)).size, unpacked: join(folder, 'package') };
}

/**
 * @param {number} size of the tarball, in bytes
 * @param {string[]} files in the tarball
 * @returns {string[]} what is wrong
 */
function contentProblems(size, files) {
	return [
		...(size > MAX_TARBALL_BYTES
			? [`the tarball has ${size} bytes, at most ${MAX_TARBALL_BYTES} are wanted`]
			: []),
		...REQUIRED_FILES.filter((name) => !files.includes(name)).map(
			(name) => `${name} is missing from the tarball`,
		),
		...files
			.filter((name) => !ALLOWED_FILES.test(name))
			.map((name) => `${name} does not belong into the tarball`),
	];
}

/**
 * @param {unknown} icon a description's icon: one path or one for each theme
 * @returns {string[]} paths relative to the compiled file
 */
function iconPaths(icon) {
	const icons = typeof icon === 'object' && icon !== null ? Object.values(icon) : [icon];
	return icons.map((path) => String(path).replace(/^file:/, ''));
}

/**
 * Loads every node and credential that package.json names, as n8n does on its start.
 *
 * @param {string} folder the unpacked tarball
 * @returns {Promise<string[]>} what is wrong
 */
async function loadingProblems(folder) {
	const problems = [];
	const { n8n } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	const require = createRequire(join(folder, 'package.json'));
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		try {
			const path = join(folder, file);
			const name = file.match(/([^/]+)\.(node|credentials)\.js$/)[1];
			const instance = new (require(path)[name])();
			for (const icon of iconPaths((instance.description ?? instance).icon)) {
				await access(join(dirname(path), icon)).catch(() =>
					problems.push(`${file}: there is no icon ${icon}`),
				);
			}
		} catch (error) {
			problems.push(`${file} cannot be loaded: ${String(error).split('\n')[0]}`);
		}
	}
	return problems;
}

/** @returns {Promise<string[]>} what is wrong; empty when all is well */
export async function scan() {
	await access(join(ROOT, 'dist')).catch(() => {
		throw new UserError('there is no dist/ yet. Run npm run build first.');
	});
	const temporary = temporaryFolder('package-scan');
	// The scanner makes a temporary folder when it is loaded and leaves it behind: let it be one that goes.
	process.env['TMPDIR'] = temporary;
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
		'@n8n/scan-community-package/scanner/scanner.mjs'
	);

	await mkdir(join(temporary, 'tarball'));
	const { size, unpacked } = await pack(join(temporary, 'tarball'));
	const files = await filesBelow(unpacked);
	const problems = [...contentProblems(size, files), ...(await loadingProblems(unpacked))];
	for (const [what, result] of [
		['the sources', await analyzePackage(ROOT, SOURCE_FILE_PATTERNS)],
		['the tarball', await analyzePackage(unpacked, ['**/*.js', 'package.json'])],
	]) {
		if (!result.passed)
			problems.push(`n8n's scan of ${what}: ${result.message}\n${result.details ?? ''}`);
	}
	console.log(`The tarball has ${files.length} files, ${(size / 1000).toFixed(1)} kB packed.`);
	return problems;
}

if (isProgram(import.meta.url)) {
	await main(async () => {
		const problems = await scan();
		for (const problem of problems) console.error(problem);
		if (problems.length > 0) return 1;
		console.log("n8n's scan of the sources and of the tarball: nothing found.");
		return 0;
	});
}
