import { execa } from 'execa';

import { endWithProgram } from './group.mjs';
import { UserError } from './program.mjs';

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error', '--no-update-notifier'];

/**
 * Runs npm in another folder. What fails, npm says.
 *
 * @param {string[]} args
 * @param {{ cwd: string, env?: Record<string, string> }} options
 * @throws {UserError}
 */
export async function npm(args, { cwd, env = {} }) {
	const run = execa('npm', [...args, ...QUIETLY], {
		cwd,
		// This program may have been started by npm, which would tie the new run to this checkout by this variable. Not by
		// --prefix, with which npm looks for the machine's own settings (proxies, certificates) elsewhere.
		env: { ...env, npm_config_local_prefix: undefined },
		stdio: 'inherit',
		reject: false,
		// A group of its own, which ends as a whole: npm leaves a compiler that it has started running.
		detached: true,
	});
	const { failed } = await endWithProgram(run);
	if (failed) throw new UserError(`npm ${args.join(' ')} failed in ${cwd}, see above.`);
}
