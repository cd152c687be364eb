import type { IDataObject } from 'n8n-workflow';

import { PaymentCollectionTrigger } from '../../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { useFakeClock } from '../../support/clock';
import { createPoller } from '../../support/engine';
import { pageOf } from '../../support/lists';
import { credentialsFor } from '../../support/operations';
import { scriptedServer } from '../../support/servers/http-server';
import { chargeOf, eventIds, refundOn, runGetEvents } from './events';

/** Charges whose refund_total says nothing, while their refund records do: the trigger, and Get Events after it. */

const REFUNDS = [refundOn(6, '5'), refundOn(7, 2.5), refundOn(8, '10.000')];

it.each<[unknown]>([[''], [null], [undefined]])(
	'a refund total of %j: trigger and Get Events tell the same of each refund',
	async (missing) => {
		const clock = useFakeClock({ now: Date.UTC(2025, 2, 5, 13) });
		let refunds: IDataObject[] = [];
		const server = await scriptedServer(({ query }) => {
			const charge = chargeOf(1, 5, { refund_total: missing, refunds } as IDataObject);
			return pageOf([charge], Number(query['page']), Number(query['page_size']));
		});
		const poller = createPoller({
			nodeType: new PaymentCollectionTrigger(),
			credentials: credentialsFor(server),
			parameters: { events: ['charge.refunded'], options: { startFrom: 'beginning' } },
		});
		await poller.activate();
		await poller.tick();
		const told: string[] = [];
		for (const refund of REFUNDS) {
			clock.advance(86_400_000);
			refunds = [...refunds, refund];
			told.push(...eventIds((await poller.tick()).json));
		}
		expect(told.map((id) => id.split(':').at(-1))).toEqual(['5.00', '7.50', '17.50']);

		const given = await runGetEvents(server, {
			parameters: { since: '2025-03-05T00:00:00Z', events: ['charge.refunded'] },
		});
		expect(eventIds(given.json)).toEqual(told);
	},
);
