import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { start } from './process.mjs';
import { atEnd, UserError } from './program.mjs';

/** Few tries close together: a person without a network is told so after seconds, not after minutes. */
const FETCH_SETTINGS = [
	'--fetch-retries=3',
	'--fetch-retry-factor=2',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=10000',
];

/**
 * The environment for npm in another folder. When this program itself was started by npm, variables of that run are
 * present that would tie the new one to this checkout (npm_config_local_prefix above all).
 *
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnvironment(extra = {}) {
	const own =
		/^(npm_(package|lifecycle)_|npm_(command|config_local_prefix|node_execpath)$|INIT_CWD$)/i;
	const entries = Object.entries(process.env).filter(([name]) => !own.test(name));
	return { ...Object.fromEntries(entries), ...extra };
}

/** First match wins. The compiler comes first: it is only asked for after a download of sqlite3 failed, which is harmless. */
const KNOWN_FAILURES = [
	{
		pattern: /gyp ERR! (find Python|stack Error: not found: make)|not found: (make|c\+\+|g\+\+)/,
		text: 'a compiler is needed for sqlite3. Install Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++) and run this again.',
	},
	{
		pattern:
			/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/,
		text: 'npm cannot reach its registry. Check the network (or the proxy settings) and run this again.',
	},
	{
		pattern: /\bENOSPC\b/,
		text: 'the disk is full. Free some space (n8n itself needs 3 GB) and run this again.',
	},
	{
		pattern: /\bEACCES\b/,
		text: 'no permission to write there. Check who owns the folder and run this again.',
	},
];

/**
 * Runs npm and turns its failure into one clear line.
 *
 * @param {string[]} args
 * @param {{ cwd: string, what: string, env?: Record<string, string> }} options what: names the work in the failure
 */
export async function npm(args, { cwd, what, env }) {
	// Started by npm, this program is told which npm that is; the same one is the safest choice.
	const { npm_execpath: cli } = process.env;
	const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
	const logs = await mkdtemp(join(tmpdir(), 'npm-output-'));
	const logFile = join(logs, 'npm.log');
	const discardLogs = () => rm(logs, { recursive: true, force: true });
	const takeBack = atEnd(discardLogs);
	const { ended } = start(command, [...first, ...args, ...FETCH_SETTINGS], {
		cwd,
		env: cleanEnvironment(env),
		logFile,
	});
	const exitCode = await ended.catch((error) => {
		throw new UserError(`${what}: npm could not be started (${error.message}). Is it installed?`);
	});
	if (exitCode === 0) return await discardLogs();
	const log = await readFile(logFile, 'utf8').catch(() => '');
	const known = KNOWN_FAILURES.find(({ pattern }) => pattern.test(log));
	if (known) throw new UserError(`${what} failed: ${known.text}`);
	// Nobody here knows why: keep what npm said.
	takeBack();
	const lastLine =
		log.match(/^npm error (?!A complete log)(?!\s*$).*$/m)?.[0] ?? `exit code ${exitCode}`;
	throw new UserError(`${what} failed: ${lastLine}. npm's output is in ${logFile}`);
}
