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
	// This program may have been started by npm, whose environment would tie the new run to this checkout.
	const run = execa('npm', [...args, `--prefix=${cwd}`, ...QUIETLY], {
		cwd,
		env,
		stdio: 'inherit',
		reject: false,
		// A group of its own, which ends as a whole: npm leaves a compiler that it has started running.
		detached: true,
	});
	const { failed } = await endWithProgram(run);
	if (failed) throw new UserError(`npm ${args.join(' ')} failed in ${cwd}, see above.`);
}
