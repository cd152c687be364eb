import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CHARGE_EVENT_NAMES } from '../../../nodes/shared/records/chargeEvents';
import type { RunOptions, RunResult } from '../../support/engine';
import { runOperation, uuid, type Account } from '../../support/operations';
import { findSecrets } from '../../support/secrets/secrets';

export interface EventOptions extends Omit<RunOptions, 'nodeType' | 'parameters'> {
	/** All events and whole records, unless these parameters say otherwise. */
	parameters: INodeParameters;
}

/** Runs Get Events, and checks that no planted secret leaves. */
export async function runGetEvents(
	server: Account,
	{ parameters, ...options }: EventOptions,
): Promise<RunResult> {
	const result = await runOperation(server, {
		resource: 'charge',
		operation: 'getEvents',
		parameters: { events: CHARGE_EVENT_NAMES, simplify: false, ...parameters },
		...options,
	});
	expect(findSecrets([result.run, result.logs, result.thrown])).toEqual([]);
	return result;
}

export const eventIds = (items: readonly IDataObject[]): string[] =>
	items.map(({ event_id: id }) => id as string);

/** A charge created at noon of a day in March. */
export const chargeOf = (number: number, day: number, fields: IDataObject = {}): IDataObject => ({
	id: uuid(number),
	created: `2025-03-${String(day).padStart(2, '0')}T12:00:00Z`,
	currency: 'EUR',
	total: '20.00',
	refund_total: '0.00',
	refunds: [],
	status: 'authorised',
	...fields,
});

export const refundOn = (day: number, amount: unknown): IDataObject =>
	({ created: `2025-03-${String(day).padStart(2, '0')}T12:00:00Z`, amount }) as IDataObject;
