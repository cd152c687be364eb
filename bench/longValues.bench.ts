import { scriptedServer } from '../test/support/servers/http-server';
import { FIELDS, LONG_VALUES, runWith, service } from '../test/support/longValues';

/** What a value of 100,000 characters costs in each field, in processor time with n8n's engine and a server around it. */

const LENGTH = 100_000;
const MOST_MS = 100;

it('prints the slowest value of each field', async () => {
	const server = await scriptedServer(service);
	const lines: string[] = [];
	let tooSlow = 0;
	for (const field of FIELDS) {
		await runWith(server, field, ['warm']);
		let slowest = { what: '', ms: 0 };
		for (const [what, value] of LONG_VALUES(LENGTH)) {
			const cost = async (): Promise<number> => {
				const before = process.cpuUsage();
				await runWith(server, field, [value]);
				const { user, system } = process.cpuUsage(before);
				return (user + system) / 1000;
			};
			const first = await cost();
			// Once more, lest a collection of garbage counts as the value's own.
			const ms = first > MOST_MS ? Math.min(first, await cost()) : first;
			if (ms > slowest.ms) slowest = { what, ms };
			if (ms > MOST_MS) tooSlow += 1;
		}
		const place = `${field.name} ${field.path}`.padEnd(56);
		lines.push(`${place}${slowest.ms.toFixed(0).padStart(5)} ms  ${slowest.what}`);
	}
	const sum = `${FIELDS.length * LONG_VALUES(LENGTH).length} values, ${tooSlow} of them above ${MOST_MS} ms`;
	process.stdout.write(`${lines.join('\n')}\n${sum}\n`);
}, 600_000);
