import { plainText } from '../../../nodes/shared/values';
import { useFakeClock } from '../../support/clock';
import { scriptedServer, type ScriptedServer } from '../../support/servers/http-server';
import { FIELDS, runWith, service, worstValues } from '../../support/longValues';

/**
 * Values of 100,000 characters in every field. That none of them takes more steps than it has characters is shown in
 * test/action/redaction/linear.test.ts; how long each takes, `npm run bench -- longValues` prints. A pattern that
 * is tried in all its divisions would keep this file busy for minutes.
 */

let server: ScriptedServer;
beforeAll(async () => {
	server = await scriptedServer(service);
});
beforeEach(() => {
	useFakeClock();
	server.forget();
});

const LENGTH = 100_000;

it.each(FIELDS)('$name answers them in $path', async (field) => {
	const answers = await runWith(server, field, worstValues(LENGTH));
	expect(answers.length).toBeGreaterThan(0);
	// A message tells of the value, and is no copy of it.
	for (const { error } of answers) expect(plainText(error).length).toBeLessThan(600);
});
