import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { execa } from 'execa';

/** Chromium under the names that systems give it, and browsers that are built of it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC_PATHS = ['Chromium', 'Google Chrome'].map(
	(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** So that it works in a container, as root, and asks nothing of any other machine. */
export const CHROMIUM_ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export const NO_CHROMIUM =
	'there is no Chromium. Install it or Google Chrome (Debian: apt-get install chromium), or name one in CHROMIUM_PATH.';

/** @returns {Promise<string | undefined>} path of the one that is installed */
async function installedChromium() {
	const folders = (process.env['PATH'] ?? '').split(delimiter);
	const candidates = [
		...[process.env['CHROMIUM_PATH']].filter((path) => path !== undefined),
		...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
		...MAC_PATHS,
	];
	for (const path of candidates) {
		const isThere = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (isThere) return path;
	}
	return undefined;
}

/** Debian's and Ubuntu's package manager, where this program may use it: in a container, mostly. */
async function installWithApt() {
	if (process.getuid?.() !== 0) return;
	const apt = async (/** @type {string[]} */ ...args) =>
		await execa('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, reject: false });
	console.log('Installing Chromium (usually 20 s) …');
	await apt('update');
	await apt('install', '--yes', '--no-install-recommends', 'chromium');
}

/** @returns {Promise<string | undefined>} path of a Chromium, which is installed first where that is possible */
export async function ensureChromium() {
	const present = await installedChromium();
	if (present !== undefined) return present;
	await installWithApt();
	return await installedChromium();
}
