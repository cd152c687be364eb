/**
 * Runs PostgreSQL as long as this process lives, which is asked to end by a signal, as any other server is. PostgreSQL
 * would wait for its clients then; an interrupt has it end at once and in good order.
 */
const { spawn } = require('node:child_process');

const [, , command, ...args] = process.argv;
const postgres = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
process.on('SIGTERM', () => postgres.kill('SIGINT'));
postgres.once('error', ({ message }) => {
	console.error(message);
	process.exit(1);
});
postgres.once('exit', (code) => process.exit(code ?? 1));
