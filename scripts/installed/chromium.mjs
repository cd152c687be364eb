import { ensureInstalled } from './ensure.mjs';

export const NO_CHROMIUM =
	'there is no Chromium. Install it or Google Chrome (Debian: apt-get install chromium), or name one in CHROMIUM_PATH.';

/** @returns {Promise<string | undefined>} path of a Chromium, which is installed first where that is possible */
export const ensureChromium = async () =>
	await ensureInstalled({
		names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
		variable: 'CHROMIUM_PATH',
		elsewhere: ['Chromium', 'Google Chrome'].map(
			(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
		),
		debian: 'chromium',
		effort: 'Chromium (usually 20 s)',
	});
