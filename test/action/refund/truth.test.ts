import {
	MAX_HOLD_MS,
	MAX_UNSHOWN_MS,
} from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { plainText } from '../../../nodes/shared/values';
import { clock, timeOutByTurns } from '../../support/clock';
import { failure, hang, json, reset, text, type Answer } from '../../support/servers/http-server';
import { credentialsFor, uuid } from '../../support/operations';
import {
	atRead,
	carryOut,
	refundOf,
	lagging,
	lenientService,
	messageOf,
	refund,
	shownCharge,
	verdicts,
} from '../../support/refunds';

const [A, B] = [uuid(1), uuid(2)];
const FULL = { parameters: { amountType: 'full' } };

/** A service with one charge, whose first refund has this response. */
const answering = async (answer: Answer, { executed = false } = {}) =>
	await lenientService({ [A]: 2000 }, [{ answer, executed }]);

describe('a refund whose outcome is unknown', () => {
	it('blocks further refunds of its charge in the same run, since it may still be carried out', async () => {
		timeOutByTurns();
		const neverAnswered = { answer: hang(), executed: false };
		const service = await lenientService({ [A]: 1000, [B]: 1000 }, [neverAnswered]);
		const result = await refund(service, [refundOf(A, '6.00'), refundOf(B), refundOf(A, '6.00')], {
			onError: 'continueRegularOutput',
		});
		carryOut(service, A, 600);
		expect(verdicts(result)).toEqual(['unknown', 'done', 'not done']);
		expect(service.refunded(A)).toBe(600);
	});

	it('stays unknown if its hold has ended and someone else refunds the same amount', async () => {
		const service = await answering(reset());
		// The last look of the first attempt.
		atRead(service, 3, () => {
			clock.advance(MAX_HOLD_MS);
			atRead(service, 1, () => carryOut(service, A, 500));
		});
		const result = await refund(service, [refundOf(A)], { retryOnFail: { maxTries: 2 } });
		expect(result.tries).toBe(2);
		expect(verdicts(result)).toEqual(['unknown']);
		expect(service.posts()).toHaveLength(1);
	});
});

it.each<[string, Answer, executed: boolean, others: number[], verdict: string, tries: number]>([
	['a lost response, which add up to its amount', reset(), false, [200, 300], 'unknown', 1],
	['a lost response, and its own', reset(), true, [300], 'done', 1],
	['a refusal, of another amount', failure(409, 'busy'), false, [300], 'not done', 1],
	['a refusal, and one of its amount', failure(409, 'busy'), true, [300], 'unknown', 1],
	[
		'a refusal, and one of its amount that the next attempt finds',
		failure(409, 'busy'),
		true,
		[300],
		'done',
		2,
	],
])(
	'a charge shows other refunds after a request with %s',
	async (_what, answer, executed, others, verdict, maxTries) => {
		const service = await answering(answer, { executed });
		atRead(service, 2, () => others.forEach((cents) => carryOut(service, A, cents)));
		const options = maxTries === 1 ? {} : { retryOnFail: { maxTries } };
		expect(verdicts(await refund(service, [refundOf(A)], options))).toEqual([verdict]);
		expect(service.posts()).toHaveLength(1);
	},
);

it('without refund records, the total shows the outcome of a refund whose response was lost', async () => {
	const service = await answering(reset(), { executed: true });
	service.show = (charge) => ({ ...shownCharge(charge), refunds: null });
	expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
});

it('a refund holds its charge from when its response was lost, however long that took', async () => {
	const service = await answering(reset());
	let requests = 0;
	service.pause = async () => {
		requests += 1;
		// While the refund itself is on its way.
		if (requests === 2) clock.advance(MAX_HOLD_MS);
		await Promise.resolve();
	};
	expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['unknown']);
	expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['not done']);
	expect(service.posts()).toHaveLength(1);
});

it('a charge is held for every API key', async () => {
	const service = await answering(reset());
	expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['unknown']);
	const credentials = { ...credentialsFor(service), apiKey: 'another-key-of-the-account' };
	expect(messageOf(await refund(service, [refundOf(A)], { credentials }))).toMatch(
		/^NOT refunded: it is unknown/,
	);
	expect(service.posts()).toHaveLength(1);
});

describe('a refusal', () => {
	it.each([
		[400, 0],
		[403, 0],
		[404, 0],
		[409, 2_000],
		[422, 0],
		[451, 0],
	])('%i is believed after one look at the charge, %i ms later', async (status, wait) => {
		const items = Array.from({ length: 100 }, () => refundOf(A));
		const service = await lenientService({ [A]: 2000 });
		service.fates = items.map(() => ({ answer: failure(status, 'no'), executed: false }));
		const result = await refund(service, items, { onError: 'continueRegularOutput' });
		expect(verdicts(result)).toEqual(items.map(() => 'not done'));
		expect(clock.sleeps).toEqual(wait === 0 ? [] : items.map(() => wait));
		expect(service.requests).toHaveLength(3 * items.length);
	});

	it('is forgotten: the same amount is sent again, though someone else has refunded it', async () => {
		const service = await answering(failure(409, 'busy'));
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['not done']);
		carryOut(service, A, 500);
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
		expect(service.posts()).toHaveLength(2);
	});

	it('is believed if the charge can’t be read after it', async () => {
		const service = await answering(failure(422, 'no'));
		atRead(service, 1, () => {
			service.rows = () => [];
		});
		const result = await refund(service, [refundOf(A)]);
		expect(verdicts(result)).toEqual(['not done']);
		expect(result.error?.description).toContain('could not be read again to make sure');
	});

	it.each([undefined, { 'retry-after': '20' }])(
		'429 leads to a second attempt, unless the charge has changed meanwhile (%o)',
		async (headers) => {
			const service = await lenientService({ [A]: 2000, [B]: 2000 });
			service.fates = [{ answer: failure(429, 'slow', 'slow', headers), executed: false }];
			expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
			service.fates = [{ answer: failure(429, 'slow', 'slow', headers), executed: false }];
			atRead(service, 2, () => carryOut(service, B, 1800));
			expect(verdicts(await refund(service, [refundOf(B)]))).toEqual(['not done']);
			expect(service.refunded(B)).toBe(1800);
		},
	);
});

it.each<[body: unknown]>([
	[{ message: 'no', error: {} }],
	[{ message: 'Not refunded', errors: [{ code: 'balance' }] }],
	[{}],
	[{ message: ' ' }],
	[{ message: {} }],
	[[{ message: 'ok' }]],
	['OK'],
	[null],
])('a success with the body %j is no confirmation: the charge shows the outcome', async (body) => {
	const answer = typeof body === 'string' ? text(body) : json(body);
	for (const executed of [true, false]) {
		const service = await answering(answer, { executed });
		const result = await refund(service, [refundOf(A)], { retryOnFail: { maxTries: 2 } });
		expect(verdicts(result)).toEqual([executed ? 'done' : 'unknown']);
		expect(service.refunded(A)).toBe(executed ? 500 : 0);
		expect(service.posts()).toHaveLength(1);
	}
});

it('a refund whose response and record report a failure holds its charge only until the hold ends', async () => {
	const body = { message: 'Refund failed: insufficient balance', status: 'failed' };
	const service = await answering(json(body));
	const failed = { created: '2025-01-15T12:00:00Z', amount: '5.00', status: 'failed' };
	const isAsked = () => service.posts().length > 0;
	service.show = (charge) => ({ ...shownCharge(charge), refunds: isAsked() ? [failed] : [] });
	const first = await refund(service, [refundOf(A)]);
	expect(messageOf(first)).toMatch(
		/^UNKNOWN whether .* check before you retry\. Refund failed: insufficient balance \(HTTP 200\)/,
	);
	expect(messageOf(await refund(service, [refundOf(A)], FULL))).toMatch(
		/^NOT refunded: it is unknown/,
	);
	clock.advance(MAX_HOLD_MS);
	const full = await refund(service, [refundOf(A)], FULL);
	expect(full.json).toMatchObject([{ amount: '20.00' }]);
	expect(service.posts().map(({ amount }) => amount)).toEqual(['5.00', '20.00']);
});

describe('a refund that is confirmed before the charge shows it', () => {
	const accepted = { message: 'Refund is being processed' };

	it.each<[string, Answer]>([
		['a message that it is in progress', json(accepted)],
		['HTTP 202', json({ message: 'OK' }, 202)],
		['a status that it is in progress', json({ message: 'OK', status: 'pending' })],
	])('has a hint that it is not final, by %s', async (_how, answer) => {
		const service = await lenientService({ [A]: 2000 }, [{ answer, executed: true }]);
		const { hints, json: records } = await refund(service, [refundOf(A)]);
		expect(records).toMatchObject([{ amount: '5.00' }]);
		expect(hints).toMatchObject([
			{ message: expect.stringMatching(/might not be final/) as string },
		]);
		const usual = await refund(service, [refundOf(A)]);
		expect(usual.hints).toEqual([]);
	});

	it('counts for a day if the list does not show it, and errors say so', async () => {
		const service = await answering(json(accepted, 202));
		expect(verdicts(await refund(service, [refundOf(A, '15.00')]))).toEqual(['done']);
		const refusal =
			/^NOT refunded: charge .* in full .*confirmed refunds of 20\.00 in total, but its list shows only 0\.00 so far: .* until 2025-01-16 12:00:00 UTC/;
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
		service.charge(A).refunds.length = 0;
		for (let time = 0; time < 2; time += 1) {
			expect(messageOf(await refund(service, [refundOf(A)], FULL))).toMatch(refusal);
			clock.advance(11 * 60_000);
		}
		expect(messageOf(await refund(service, [refundOf(A)]))).toMatch(
			/^'Amount' is 5\.00 USD: more than the 0\.00 USD left to refund \(the service has confirmed/,
		);
		clock.advance(MAX_UNSHOWN_MS);
		expect(verdicts(await refund(service, [refundOf(A)], FULL))).toEqual(['done']);
	});

	it('counts for ten minutes after the list has shown it, however late, in case it lags again', async () => {
		const service = await answering(json(accepted, 202), { executed: true });
		lagging(service);
		expect(verdicts(await refund(service, [refundOf(A, '20.00')]))).toEqual(['done']);
		clock.advance(2 * MAX_HOLD_MS);
		service.show = shownCharge;
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['not done']);
		lagging(service);
		clock.advance(MAX_HOLD_MS - 1);
		expect(messageOf(await refund(service, [refundOf(A)], FULL))).toMatch(
			/^NOT refunded: charge \S+ has already been refunded in full/,
		);
		expect(service.posts()).toHaveLength(1);
	});

	it('no longer counts ten minutes after the list has shown it', async () => {
		const service = await answering(json(accepted, 202), { executed: true });
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
		expect(verdicts(await refund(service, [refundOf(A)]))).toEqual(['done']);
		expect(verdicts(await refund(service, [refundOf(A, '99.00')]))).toEqual(['not done']);
		// The service took it back.
		service.charge(A).refunds.length = 0;
		clock.advance(MAX_HOLD_MS + 1);
		expect((await refund(service, [refundOf(A)], FULL)).json).toMatchObject([{ amount: '20.00' }]);
	});
});

it.each([
	[
		'0.00',
		['20.00'],
		/^NOT refunded: charge .* in full .*refund_total is 0\.00, but its refund records add up to 20\.00:/,
	],
	[
		'20.00',
		[],
		/^NOT refunded: charge .* in full .*refund_total is 20\.00, but its refund records add up to 0:/,
	],
	[
		'5.00',
		['15.00', '4.00'],
		/^'Amount' is 5\.00 USD: more than the 1\.00 USD .*is 5\.00, but its refund records add up to 19\.00:/,
	],
])(
	'a refund is refused by the greater of refund_total %s and records of %j, and the message names both',
	async (stated, amounts, says) => {
		const service = await lenientService({ [A]: 2000 });
		const refunds = amounts.map((amount) => ({ created: '2025-01-15T12:00:00Z', amount }));
		service.show = (charge) => ({ ...shownCharge(charge), refund_total: stated, refunds });
		const options = stated === '5.00' ? {} : FULL;
		expect(messageOf(await refund(service, [refundOf(A)], options))).toMatch(says);
		expect(service.posts()).toEqual([]);
	},
);

it('a list that lags does not prove that a refund was not carried out', async () => {
	const service = await lenientService({ [A]: 2000 });
	lagging(service);
	service.fates = ['well', { answer: failure(500, 'broken', 'internal'), executed: true }];
	const result = await refund(service, [refundOf(A), refundOf(A)]);
	expect(verdicts(result)).toEqual(['done', 'unknown']);
});

describe('texts of the service', () => {
	it('show no currency that is not a currency code', async () => {
		const service = await lenientService({ [A]: 2000 });
		const currency = '4111111111111111 tok_live_51H8xyzABCDEF';
		service.show = (charge) => ({ ...shownCharge(charge), currency });
		const tooMuch = await refund(service, [refundOf(A, '25.00')], {
			onError: 'continueRegularOutput',
		});
		const done = await refund(service, [refundOf(A)]);
		const shown = JSON.stringify([tooMuch.json, tooMuch.run, done.json, done.run]);
		expect(shown).not.toMatch(/4111|tok_live/);
		expect(tooMuch.json[0]?.['error']).toMatch(/^'Amount' is 25\.00/);
		expect(done.json).toMatchObject([{ amount: '5.00', currency: '' }]);
	});

	it('are cut to one line', async () => {
		const message = `Refunded\r\nand ${'more '.repeat(1_000_000)}`;
		const service = await answering(json({ message }), { executed: true });
		const { json: records } = await refund(service, [refundOf(A)]);
		const shown = plainText(records[0]?.['message']);
		expect(shown).toMatch(/^Refunded and more more .*…$/);
		expect(shown.length).toBeLessThanOrEqual(1_000);
	});
});
