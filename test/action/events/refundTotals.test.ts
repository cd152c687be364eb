import type { IDataObject } from 'n8n-workflow';

import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { useFakeClock } from '../../support/clock';
import { createPoller } from '../../support/engine';
import { pageOf } from '../../support/lists';
import { credentialsFor } from '../../support/operations';
import { scriptedServer } from '../../support/servers/http-server';
import { chargeOf, eventIds, refundOn, runGetEvents } from './events';

/** However a service writes what is refunded, or leaves it out: the trigger, and Get Events after it. */

const REFUNDS = [refundOn(6, '5'), refundOn(7, 2.5), refundOn(8, '10.000')];

it.each<[unknown[]]>([
	[['', '', '']],
	[[null, null, null]],
	[[undefined, undefined, undefined]],
	[['5', '7.5', '17.50']],
	[['5.0', 7.5, '17.5000']],
])('of refund totals %j, trigger and Get Events tell the same', async (written) => {
	const clock = useFakeClock({ now: Date.UTC(2025, 2, 5, 13) });
	let charge = chargeOf(1, 5);
	const server = await scriptedServer(({ query }) =>
		pageOf([charge], Number(query['page']), Number(query['page_size'])),
	);
	const poller = createPoller({
		nodeType: new PaymentCollectionTrigger(),
		credentials: credentialsFor(server),
		parameters: { events: ['charge.refunded'], options: { startFrom: 'beginning' } },
	});
	await poller.activate();
	await poller.tick();
	const told: string[] = [];
	for (const [index, total] of written.entries()) {
		clock.advance(86_400_000);
		const refunds = REFUNDS.slice(0, index + 1);
		charge = chargeOf(1, 5, { refund_total: total, refunds } as IDataObject);
		told.push(...eventIds((await poller.tick()).json));
		// The same money in another spelling is no other event.
		charge = chargeOf(1, 5, { refund_total: String(['5.00', '7.50', '17.5'][index]), refunds });
		told.push(...eventIds((await poller.tick()).json));
	}
	expect(told.map((id) => id.split(':').at(-1))).toEqual(['5.00', '7.50', '17.50']);

	const given = await runGetEvents(server, {
		parameters: { since: '2025-03-05T00:00:00Z', events: ['charge.refunded'] },
	});
	expect(eventIds(given.json)).toEqual(told);
});
