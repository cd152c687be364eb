import { spawn } from 'node:child_process';

/** Few tries close together: a person without a network is told so after seconds, not after minutes. */
const FETCH_SETTINGS = [
	'--fetch-retries=3',
	'--fetch-retry-factor=2',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=10000',
];

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

/** A failure whose message is all that the person needs: what is wrong, and what to do. No stack is printed. */
export class UserError extends Error {}

/**
 * The environment for npm in another folder. When this program itself was started by npm, variables of that run are
 * present that would tie the new one to this checkout (npm_config_local_prefix above all).
 *
 * @param {Record<string, string>} extra
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnvironment(extra) {
	const own =
		/^(npm_(package|lifecycle)_|npm_(command|config_local_prefix|node_execpath)$|INIT_CWD$)/i;
	const entries = Object.entries(process.env).filter(([name]) => !own.test(name));
	return { ...Object.fromEntries(entries), ...extra };
}

/**
 * Runs npm and turns its failure into one clear line. Uses Node's own modules only, since it also installs the others.
 *
 * @param {string[]} args
 * @param {{ cwd: string, what: string, env?: Record<string, string> }} options what: names the work in the failure
 * @throws {UserError}
 */
export async function npm(args, { cwd, what, env = {} }) {
	// Started by npm, this program is told which npm that is; the same one is the safest choice.
	const { npm_execpath: cli } = process.env;
	const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
	// A group of its own, which is ended as a whole: npm leaves the compiler that it has started running.
	const child = spawn(command, [...first, ...args, ...FETCH_SETTINGS], {
		cwd,
		env: cleanEnvironment(env),
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const stop = () => child.exitCode === null && child.pid && process.kill(-child.pid, 'SIGKILL');
	process.once('exit', stop);
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => (output += text));
	/** @type {number | null} */
	const exitCode = await new Promise((resolve, reject) => {
		child.once('close', resolve);
		child.once('error', ({ message }) =>
			reject(new UserError(`${what}: npm could not be started (${message}). Is it installed?`)),
		);
	}).finally(() => process.off('exit', stop));
	if (exitCode === 0) return;
	const known = KNOWN_FAILURES.find(({ pattern }) => pattern.test(output));
	throw new UserError(`${what} failed: ${known?.text ?? `npm said\n${output.trim()}`}`);
}
