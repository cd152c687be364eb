import { capped, chargeListServer, history } from '../../../support/servers/chargeListServer';
import type { Row } from '../../../support/servers/chargeListServer';
import { MINUTE_MS, NOW_MS, SECOND_MS, scene } from '../scene';
import type { Scene } from '../scene';

const parameters = { events: ['charge.refunded', 'charge.statusChanged'] };

function refund(row: Row, atMs: number): string {
	row['refund_total'] = '1.00';
	row['refunds'] = [{ created: new Date(atMs).toISOString(), amount: '1.00' }];
	return `charge.refunded:${row['id'] as string}:1.00`;
}

function capture(row: Row, atMs: number): string {
	row['status'] = 'captured';
	row['events'] = { type: 'captured', created: new Date(atMs).toISOString() };
	return `charge.statusChanged:${row['id'] as string}:captured`;
}

/** A trigger that has told a refund, and what happens to charges after its last poll. */
async function watching() {
	const rows = history(30, NOW_MS, 10 * MINUTE_MS);
	const made = await scene(rows, { size: capped(10) }, { parameters });
	const [first = {}, second = {}, third = {}] = [rows[4], rows[14], rows[24]];
	await made.activate();
	await made.ticks(20);
	refund(first, made.clock.now());
	await made.ticks(2);
	expect(made.told).toHaveLength(1);
	made.told.length = 0;
	made.clock.advance(30 * SECOND_MS);
	const meanwhile = [refund(second, made.clock.now()), capture(third, made.clock.now())];
	made.clock.advance(30 * SECOND_MS);
	return { ...made, publish: made.publish, meanwhile };
}

const toldBy = ({ told }: Scene): string[] => [...told].sort();

describe('a refund and a change of status since the last poll, both dated, are told once', () => {
	it('after an update of the package, whose state is of another version', async () => {
		const made = await watching();
		const { cursor } = made.poller.unsaved() as { cursor: object };
		const stored = { ...cursor, version: 999, text: 'of another version' };
		await made.publish({ workflowId: 'updated', staticData: { cursor: stored } });
		for (let polls = 0; polls < 10; polls++) await made.publish({ workflowId: 'updated' });
		expect(toldBy(made)).toEqual([...made.meanwhile].sort());
	});

	it('once the key is back after another account’s, and n8n has restarted in between', async () => {
		const made = await watching();
		const other = await chargeListServer(history(10, NOW_MS, MINUTE_MS));
		await made.publish({ credentials: { baseUrl: other.url, apiKey: 'other-key' } });
		for (let polls = 0; polls < 10; polls++) await made.publish({ workflowId: 'key-is-back' });
		expect(toldBy(made)).toEqual([...made.meanwhile].sort());
	});
});
