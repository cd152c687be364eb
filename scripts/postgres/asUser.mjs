import { execa } from 'execa';

import { UserError } from '../lib/program.mjs';

/** Every system has it, so that none needs to be made. */
const USER = 'nobody';

/**
 * PostgreSQL refuses to run as root, whom containers like. It runs as somebody else then, who may go wherever root may:
 * into the folders of root's home, say, and temporary ones.
 *
 * @returns {Promise<string[]>} what goes in front of a command of PostgreSQL's
 */
export async function asUser() {
	if (process.getuid?.() !== 0) return [];
	try {
		const [{ stdout: user }, { stdout: group }] = await Promise.all([
			execa('id', ['-u', USER]),
			execa('id', ['-g', USER]),
		]);
		const command = [
			'setpriv',
			`--reuid=${user}`,
			`--regid=${group}`,
			'--clear-groups',
			// Else a system call that PostgreSQL looks with would not heed the right below.
			'--securebits=+no_setuid_fixup',
			'--inh-caps=-all,+dac_override',
			'--ambient-caps=-all,+dac_override',
		];
		const [program = '', ...args] = command;
		await execa(program, [...args, 'true']);
		return command;
	} catch {
		throw new UserError(
			'PostgreSQL does not run as root, and cannot be started as somebody else here. Run this as another user, or give the address of a database of your own: npm start -- --postgres postgres://user:password@host/database',
		);
	}
}
