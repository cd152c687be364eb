import type { INodeParameters } from 'n8n-workflow';

import type { RunResult } from '../../support/engine';
import { runOperation, type OperationOptions } from '../../support/operations';

/** Creating links, for tests of what becomes of them. */

/** What a link needs at least. */
export const LEAST = {
	currency: 'USD',
	items: { item: [{ name: 'Ticket', amount: '12.50', quantity: 1 }] },
};

/** Of each item, its title. */
const linkParameters = (note = ''): INodeParameters => ({
	...LEAST,
	additionalFields: { title: '={{ $json.title }}', note },
});

type Options = Partial<OperationOptions> & { note?: string };

export const createLinks = async (
	server: { url: string },
	titles: string[],
	{ note, ...options }: Options = {},
): Promise<RunResult> =>
	await runOperation(server, {
		resource: 'link',
		operation: 'create',
		parameters: linkParameters(note),
		items: titles.map((title) => ({ title })),
		...options,
	});
