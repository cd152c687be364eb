import generateSources from '../generate/sources.mjs';
import { importTypeScript } from './typescript.mjs';

// A fresh clone lacks them, and the sandbox imports them.
await generateSources();

/** @type {typeof import('../../sandbox/index.js')} */
export const { DEFAULT_COUNTS, DEMO_API_KEY, startSandbox } =
	await importTypeScript('sandbox/index.ts');

/** @type {typeof import('../../sandbox/html.js')} */
export const { markup, sendPage, table } = await importTypeScript('sandbox/html.ts');
