/**
 * `node keeper.cjs <signal> <program> …`: runs a program that knows nothing of Node as long as this process lives, which
 * is asked to end by a signal, as any other server is. The program gets the signal at which it ends in good order.
 */
const { spawn } = require('node:child_process');

const [, , signal, program, ...args] = process.argv;
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
process.on('SIGTERM', () => child.kill(signal));
child.once('error', ({ message }) => {
	console.error(message);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
