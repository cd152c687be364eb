import { useFakeClock } from './clock';
import { envelope, uuid } from './operations';
import { json, scriptedServer, type ScriptedServer } from './servers/http-server';

/** For the file that imports it: a service that takes every link, empty at the start of each test. */
export let server: ScriptedServer;

beforeAll(async () => {
	server = await scriptedServer(({ method }) =>
		json(method === 'GET' ? envelope() : { id: uuid(1) }),
	);
});

beforeEach(() => {
	server.forget();
	// 15 January 2025, noon in UTC.
	useFakeClock();
});

export const ITEM = { name: 'Ticket', amount: '12.50', quantity: 1 };

export const LINK = { currency: 'USD', items: { item: [ITEM] } };
