import { execa } from 'execa';

/**
 * Installs a package with Debian's and Ubuntu's package manager, where this program may use it: in a container, mostly.
 * Elsewhere, and where it fails, nothing happens: whoever asks looks again.
 *
 * @param {string} name
 * @param {string} what is installed, and how long that usually takes
 */
export async function installWithApt(name, what) {
	if (process.getuid?.() !== 0) return;
	const apt = async (/** @type {string[]} */ ...args) =>
		// Two test files may install something at once.
		await execa('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
			env: { DEBIAN_FRONTEND: 'noninteractive' },
			reject: false,
		});
	console.log(`Installing ${what} …`);
	await apt('update');
	await apt('install', '--yes', '--no-install-recommends', name);
}
