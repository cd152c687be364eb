/**
 * `node scripts/releaseNotes.mjs [tag]` prints the section of this version in the changelog. A tag must be that of this
 * version, and the section there; without one, the unreleased section will do. It needs no package: the job that may
 * write to the repository installs none.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './lib/project.mjs';

const [, , tag] = process.argv;
const { version, homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const sections = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m);
/** @param {string} name */
const sectionOf = (name) => sections.find((section) => section.startsWith(`[${name}]`));

const section = sectionOf(version) ?? (tag === undefined ? sectionOf('Unreleased') : undefined);
if (section === undefined || (tag !== undefined && tag !== `v${version}`)) {
	console.error(
		`Error: the tag must be v${version}, and CHANGELOG.md have a section [${version}].`,
	);
	process.exit(1);
}
const text = section.slice(section.indexOf('\n')).trim();
// Links within the repository lead nowhere from a release.
console.log(text.replace(/\]\((?!https?:)/g, `](${homepage}/blob/v${version}/`));
