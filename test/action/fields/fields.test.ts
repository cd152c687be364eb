import type { INodeParameters } from 'n8n-workflow';
import {
	empty,
	json,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { envelope, runOperation, sent, uuid } from '../../support/operations';

/** What is asked for with the values of fields; what of a link's fields goes into its body is in test/action/link. */

let server: ScriptedServer;

beforeEach(async () => {
	// A record and an empty list in one, whichever is asked for.
	server = await scriptedServer(({ method }) =>
		method === 'DELETE' ? empty() : json({ ...envelope(), id: uuid(1) }),
	);
});

const queryOf = async (parameters: INodeParameters): Promise<unknown> => {
	const { error } = await runOperation(server, {
		resource: 'charge',
		operation: 'getAll',
		parameters,
	});
	expect(error).toBeUndefined();
	return sent(server)[0]?.query;
};

/** What is asked for when nothing is set. */
const PAGE = { page: '1', page_size: '50' };

describe('a chosen record', () => {
	it.each<[string, unknown]>([
		['from the list', { __rl: true, mode: 'list', value: uuid(7), cachedResultName: 'Ana' }],
		['by its ID', { __rl: true, mode: 'id', value: ` ${uuid(7)}\n` }],
		['as plain text', ` ${uuid(7)} `],
		['by an expression of the ID', { __rl: true, mode: 'id', value: `={{ " ${uuid(7)}" }}` }],
		['by an expression that gives plain text', `={{ "${uuid(7)} " }}`],
		['by an expression that gives one chosen', `={{ { "mode": "id", "value": "${uuid(7)}" } }}`],
	])('may be given %s', async (_how, chargeId) => {
		const parameters = { filters: { chargeId } } as INodeParameters;
		expect(await queryOf(parameters)).toEqual({ id: uuid(7), ...PAGE });
	});

	it.each(['', '  ', '={{ $json.missing }}'])('may not be %p', async (value) => {
		const { error } = await runOperation(server, {
			resource: 'charge',
			operation: 'getAll',
			parameters: { filters: { chargeId: { __rl: true, mode: 'list', value } } },
		});
		expect(error?.message).toBe("'Filters → Charge' is empty");
		expect(server.requests).toEqual([]);
	});
});
