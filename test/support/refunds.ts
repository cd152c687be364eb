import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, scriptedServer, type Answer, type ScriptedServer } from './servers/http-server';
import { envelope, runOperation } from './operations';
import { plainText } from '../../nodes/shared/values';
import type { RunOptions, RunResult } from './engine';

/** The reported outcome of one input item's write. */
export interface Reported {
	item: number;
	verdict: 'done' | 'not done' | 'unknown' | 'nothing';
	/** The error's message, or a text that begins with the amount. */
	text: string;
}

/** Reads the message alone, since an agent's model sees nothing else. */
export function verdictOf(message: string): Reported['verdict'] {
	if (message.startsWith('UNKNOWN')) return 'unknown';
	return /\bNOT\b/.test(message) ? 'not done' : 'nothing';
}

export const reportedByRecord = (item: number, record: IDataObject): Reported =>
	typeof record['error'] === 'string'
		? { item, verdict: verdictOf(record['error']), text: record['error'] }
		: { item, verdict: 'done', text: plainText(record['amount']) };

interface ThrownError extends Error {
	description?: string | null;
	context?: { itemIndex?: number };
}

/**
 * Reads the reported outcome of each item from a run's results and errors, such as "Done before this error: item 1: 5.00
 * refunded. Other errors: item 3: UNKNOWN … Not sent: items 4 to 9." Items that were not sent have none.
 */
export function reportedBy({ items, errorItems, thrown, error }: RunResult): Reported[] {
	const reported = [...items, ...errorItems].map(({ json: record, pairedItem }) =>
		reportedByRecord((pairedItem as { item: number }).item, record),
	);
	if (error !== undefined) {
		const { message, description, context } = thrown.at(-1) as ThrownError;
		const [before = '', also = ''] = (description ?? '').split('Other errors: ');
		const [, done = ''] = before.split('Done before this error: ');
		for (const [, item, text = ''] of done.matchAll(/item (\d+): (.*?)(?=; item \d|\.( |$))/g)) {
			reported.push({ item: Number(item) - 1, verdict: 'done', text });
		}
		for (const [, item, text = ''] of also.matchAll(
			/item (\d+): (.*?)(?=; item \d|\. Not sent|$)/gs,
		)) {
			reported.push({ item: Number(item) - 1, verdict: verdictOf(text), text });
		}
		reported.push({ item: context?.itemIndex ?? -1, verdict: verdictOf(message), text: message });
	}
	return reported.sort((one, other) => one.item - other.item);
}

export const verdicts = (result: RunResult): Array<Reported['verdict']> =>
	reportedBy(result).map(({ verdict }) => verdict);

export const messageOf = ({ error }: RunResult): string => error?.message ?? '';

/** As the node threw it in its last attempt. */
export const descriptionOf = ({ thrown }: RunResult): string =>
	(thrown.at(-1) as ThrownError | undefined)?.description ?? '';

/** An input item: refunds 5.00 of a charge, or another amount. */
export const refundOf = (charge: string, amount: unknown = '5.00'): IDataObject =>
	({ charge, amount }) as IDataObject;

/** Refunds `$json.amount` of `$json.charge` for every item. */
export async function refund(
	server: { url: string },
	items: IDataObject[],
	{ options, parameters, ...others }: Partial<RunOptions> & { options?: INodeParameters } = {},
): Promise<RunResult> {
	return await runOperation(server, {
		resource: 'charge',
		operation: 'refund',
		parameters: {
			chargeId: { __rl: true, mode: 'id', value: '={{ $json.charge }}' },
			amount: '={{ $json.amount }}',
			...(options === undefined ? {} : { options }),
			...parameters,
		},
		items,
		...others,
	});
}

/** A stored charge, with amounts in hundredths. */
export interface LenientCharge {
	id: string;
	total: number;
	refunds: number[];
}

export type RefundFate =
	| 'well'
	/** Gets this answer, carried out before or not at all. */
	| { answer: Answer; executed: boolean };

export interface LenientService extends ScriptedServer {
	charge(id: string): LenientCharge;
	/** Sum of the refunds carried out, in hundredths. */
	refunded(id: string): number;
	/** Requests to refund, in order of arrival: charge and amount. */
	posts(): Array<{ id: string; amount: unknown }>;
	/** Fates of the next refunds, in order; later ones go well. */
	fates: RefundFate[];
	/** The row that the list shows for a charge; by default with its true refund_total. */
	show: (charge: LenientCharge) => IDataObject;
	/** Awaited before each answer. */
	pause: () => Promise<void>;
	/** Row of the list that a query for an id gives; that charge by default. */
	rows: (id: string) => IDataObject[];
}

const text = (cents: number): string => (cents / 100).toFixed(2);

export const shownCharge = ({ id, total, refunds }: LenientCharge): IDataObject => ({
	id,
	currency: 'USD',
	total: text(total),
	refund_total: text(refunds.reduce((sum, amount) => sum + amount, 0)),
	refunds: refunds.map((amount) => ({ created: '2025-01-15T12:00:00Z', amount: text(amount) })),
});

/** Carries out a refund: a delayed one, or one that somebody else requested. */
export const carryOut = (service: LenientService, charge: string, cents: number): void =>
	void service.charge(charge).refunds.push(cents);

/** Hides all refunds from the list. */
export function lagging(service: LenientService): void {
	service.show = ({ id, total }) => shownCharge({ id, total, refunds: [] });
}

/** Acts at the nth read of the charge from now on, before its row is made. */
export function atRead(service: LenientService, number: number, act: (id: string) => void): void {
	let reads = 0;
	service.rows = (id) => {
		reads += 1;
		if (reads === number) act(id);
		return [service.show(service.charge(id))];
	};
}

/**
 * A service that refunds whatever it is asked for, more than the charge's total too: limits on the amount are not
 * shown (docs/service.md, Charges), so the node must keep them by itself.
 */
export async function lenientService(
	charges: Record<string, number>,
	fates: RefundFate[] = [],
): Promise<LenientService> {
	const kept = new Map<string, LenientCharge>(
		Object.entries(charges).map(([id, total]) => [id, { id, total, refunds: [] }]),
	);
	const charge = (id: string): LenientCharge => {
		const found = kept.get(id.toLowerCase());
		if (found === undefined) throw new Error(`No charge ${id}`);
		return found;
	};
	const posts: Array<{ id: string; amount: unknown }> = [];

	const server = await scriptedServer(async ({ method, path, query, body }) => {
		await service.pause();
		if (method === 'GET') return json(envelope(...service.rows(String(query['id']))));
		const id = path.split('/')[3] ?? '';
		const { amount } = body as { amount: string };
		posts.push({ id, amount });
		const fate = service.fates.shift() ?? 'well';
		if (fate === 'well' || fate.executed) charge(id).refunds.push(Math.round(Number(amount) * 100));
		return fate === 'well' ? json({ message: `Refunded ${amount}` }) : fate.answer;
	});
	const service: LenientService = Object.assign(server, {
		charge,
		refunded: (id: string) => charge(id).refunds.reduce((sum, amount) => sum + amount, 0),
		posts: () => posts,
		fates,
		show: shownCharge,
		pause: async () => await Promise.resolve(),
		rows: (id: string) => [service.show(charge(id))],
	});
	return service;
}
