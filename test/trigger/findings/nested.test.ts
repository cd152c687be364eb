import { charge, history } from '../../support/servers/chargeListServer';
import { useFakeClock } from '../../support/clock';
import type { Row } from '../../support/servers/chargeListServer';
import { text } from '../../support/servers/http-server';
import type { Answer } from '../../support/servers/http-server';
import { listFilters } from '../../../nodes/PaymentCollectionTrigger/cursor/account';
import { pollCharges } from '../../../nodes/PaymentCollectionTrigger/poll';
import { StatusFilter } from '../../../nodes/shared/charges/statusFilter';
import { ReportedError } from '../../../nodes/shared/errors/failures';
import { DAY_MS, HOUR_MS, MINUTE_MS, NOW_MS, createdIds, scene } from './scene';

const TOKEN = 'tok-planted-58ab3e0d2f';
const nestedJson = (levels: number): string =>
	`${'['.repeat(levels)}{"token":"${TOKEN}"}${']'.repeat(levels)}`;

const DEEP = 'DEEP';
const deepReply = (rows: readonly Row[]): Answer => {
	const body = JSON.stringify({ count: rows.length, next: null, results: rows });
	const deep = body.replace(`"${DEEP}"`, () => nestedJson(20_000));
	return text(deep, 200, 'application/json');
};

/** What can't be searched for secrets, or not even be written as text, since it is nested too deep. */
describe('one row that is nested too deep', () => {
	it.each([
		['in a text', nestedJson(199)],
		['in its fields', DEEP],
	])('%s is told with what can hold no secret, and holds nothing up', async (_where, nested) => {
		const { activate, ticks, arrive, told, list, tick } = await scene(
			history(30, NOW_MS, MINUTE_MS),
			{},
			{ parameters: { simplify: false } },
		);
		await activate();
		const deep = arrive({ note: TOKEN, custom_fields: nested, source: { token: TOKEN } });
		list.manners.instead = () => deepReply(list.rows);
		const { json: items, logs } = await tick();
		expect(JSON.stringify(items)).not.toContain(TOKEN);
		expect(items).toEqual([
			{
				event: 'charge.created',
				event_id: `charge.created:${deep['id'] as string}`,
				id: deep['id'],
				created: deep['created'],
				currency: 'USD',
				status: 'authorised',
				refund_total: '0.00',
			},
		]);
		expect(logs.map(({ message }) => message).join()).toContain('nested so deep');
		const next = arrive();
		await ticks(3);
		expect(told).toEqual(createdIds([deep, next]));
	});

	it('and can’t be read holds nothing up', async () => {
		const { activate, ticks, arrive, told, list } = await scene(history(30, NOW_MS, MINUTE_MS));
		await activate();
		list.rows.unshift(charge(NOW_MS, { id: null, note: DEEP }));
		list.manners.instead = () => deepReply(list.rows);
		const next = arrive();
		await ticks(3);
		expect(told).toEqual(createdIds([next]));
	});
});

it('a page whose request n8n itself stops fails no poll', async () => {
	useFakeClock({ now: NOW_MS });
	const rows = [charge(NOW_MS)];
	const { warnings } = await pollCharges({
		account: 'account',
		filters: listFilters({}),
		stored: undefined,
		settings: {
			startFrom: { kind: 'beginning' },
			lookbackMs: HOUR_MS,
			maxCharges: 10,
			events: new Set(['charge.created']),
			statuses: new StatusFilter(undefined),
			watchMs: DAY_MS,
			sweepPages: 1,
		},
		fetchPage: async (page) => {
			if (page > 1) throw new ReportedError('stopped', 'n8n stopped the request');
			return await Promise.resolve({ records: rows, count: 3, hasNext: true });
		},
		nowMs: NOW_MS,
		deadlineMs: NOW_MS + HOUR_MS,
	});
	expect(warnings).toEqual([
		'A page of the charge list could not be read and will be read again: stopped',
	]);
});
