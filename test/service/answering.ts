import {
	failure,
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../support/servers/http-server';
import { pageOf, rowsUpTo } from '../support/lists';

/** Answers in order, then with a list of three rows. */
export async function after(...answers: Answer[]): Promise<ScriptedServer> {
	return await scriptedServer((_request, count) => answers[count - 1] ?? pageOf(rowsUpTo(3), 1, 3));
}

export const always = async (answer: Answer): Promise<ScriptedServer> =>
	await scriptedServer(() => answer);

export const retryAfter = (status: number, value: string): Answer =>
	failure(status, 'Slow down', 'busy', { 'retry-after': value });

/** Waits until no request is in flight and none follows. */
export async function settled(server: ScriptedServer): Promise<void> {
	for (let quiet = 0, before = -1; quiet < 20; quiet += 1) {
		if (server.inFlight() > 0 || server.requests.length !== before) quiet = 0;
		before = server.requests.length;
		await new Promise((resolve) => setImmediate(resolve));
	}
}
