/**
 * `node scripts/release.mjs [tag]` prints the release notes of the checkout in the current folder: this version's section
 * of the changelog, or the unreleased one. Warns of what has to change before a release. With a tag, each is an error.
 * Needs no package: the job that may write to the repository installs none.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Remarks and addresses that only fit a package that nobody can install yet. */
const PLACEHOLDERS = 'once (it|the package) is on npm|maintainers@[a-z0-9.-]*\\.example';

const [, , tag] = process.argv;
const { version, homepage, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
/** @param {string} name */
const sectionOf = (name) => sections.find((section) => section.startsWith(`[${name}]`));

/** @returns {Promise<string[]>} what is wrong with the repository's URL, which npm compares with the one of the provenance */
async function repositoryProblems() {
	const { GITHUB_REPOSITORY } = process.env;
	if (GITHUB_REPOSITORY !== undefined) {
		const url = `git+https://github.com/${GITHUB_REPOSITORY}.git`;
		return repository.url === url ? [] : [`package.json: repository.url must be ${url}`];
	}
	const isThere = await fetch(homepage, { method: 'HEAD' }).then(
		({ ok }) => ok,
		() => false,
	);
	return isThere ? [] : [`package.json: ${homepage} can't be reached`];
}

const files = ['package.json', '*.md'];
const found = spawnSync('git', ['grep', '-niEo', PLACEHOLDERS, '--', ...files], {
	encoding: 'utf8',
});
if (found.status !== 0 && found.status !== 1) throw new Error(found.stderr);
const problems = [
	...(tag === undefined || tag === `v${version}` ? [] : [`the tag must be v${version}`]),
	...(sectionOf(version) ? [] : [`CHANGELOG.md has no section [${version}]`]),
	...found.stdout.split('\n').filter((line) => line !== ''),
	...(await repositoryProblems()),
];

const section = sectionOf(version) ?? sectionOf('Unreleased') ?? '';
const text = section.slice(section.indexOf('\n')).trim();
// Links within the repository lead nowhere from a release.
console.log(text.replace(/\]\((?!https?:)/g, `](${homepage}/blob/v${version}/`));
const kind = tag === undefined ? 'Before the release' : 'Error';
for (const problem of problems) console.error(`${kind}: ${problem}`);
if (tag !== undefined && problems.length > 0) process.exit(1);
