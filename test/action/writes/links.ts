import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type FaultAction, type Sandbox } from '../../../sandbox';
import { useFakeClock } from '../../support/clock';
import type { RunResult } from '../../support/engine';
import { runOperation, type OperationOptions } from '../../support/operations';
import { PLANTED } from '../../support/secrets/secrets';

/** Links that are created in a sandbox, for tests of what becomes of them. */

const ITEMS = { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] };

export const linkParameters = (note: string): INodeParameters => ({
	currency: 'USD',
	items: ITEMS,
	additionalFields: { title: '={{ $json.title }}', note },
});

type Options = Partial<OperationOptions> & { note?: string };

export const createLinks = async (
	server: { url: string },
	titles: string[],
	{ note = '', ...options }: Options = {},
): Promise<RunResult> =>
	await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters: linkParameters(note),
		items: titles.map((title) => ({ title })),
		...options,
	});

/** A sandbox that is empty before each test, with the clock standing still. */
export function useSandbox() {
	let sandbox: Sandbox;
	beforeAll(async () => {
		const counts = { charges: 0, customers: 0, links: 0, invoices: 0, checkoutSessions: 0 };
		sandbox = await startSandbox({ apiKey: PLANTED.apiKey, counts });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.reset();
		useFakeClock();
	});
	return {
		get url(): string {
			return sandbox.url;
		},
		get apiKey(): string {
			return sandbox.apiKey;
		},
		reset: () => sandbox.reset(),
		/** Titles of the links that the service has. */
		created: (): string[] => sandbox.store.links.all().map(({ link }) => link.title),
		posts: (): number => sandbox.requests.filter(({ method }) => method === 'POST').length,
		/** One fault on the links of these numbers, in the order in which n8n sends them: all at once, in item order. */
		strike: (action: FaultAction, ...nth: number[]): number =>
			sandbox.addFault({ match: { method: 'POST', path: '/v1/links', nth }, action }),
		get all(): Sandbox {
			return sandbox;
		},
	};
}
