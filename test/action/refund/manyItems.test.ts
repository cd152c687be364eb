import type { FaultAction } from '../../../sandbox';
import { five, refund, verdicts } from '../../support/refunds';
import { executed, newCharge, posted, sandbox } from '../../support/refundSandbox';

/** Long enough for an answer of a busy machine. */
const TIMEOUT_MS = 250;

/** Where no answer is waited for that comes. */
const SHORT_TIMEOUT_MS = 20;

/** 40 charges, each with another amount to refund. */
const fortyItems = () =>
	Array.from({ length: 40 }, (_, item) => ({
		charge: newCharge(),
		amount: `5.${String(item).padStart(2, '0')}`,
	}));

describe('a charge that can’t be read', () => {
	const READ_FAULTS: Array<[name: string, action: FaultAction, isPassing: boolean]> = [
		['400', { status: 400 }, false],
		['401', { status: 401 }, false],
		['403', { status: 403 }, false],
		['404', { status: 404 }, false],
		['429', { status: 429 }, true],
		['500', { status: 500 }, false],
		['502, a web page', { status: 502, html: true }, true],
		['503', { status: 503 }, true],
		['a timeout', { hang: 'before' }, true],
		['a reset', { resetBefore: true }, true],
		['malformed JSON', { malformedJson: true }, false],
		['a web page', { html: true }, false],
		['no list', { body: { results: 'none' } }, false],
		['an empty list', { body: { count: 0, results: [] } }, false],
		['a redirect', { redirectTo: '/' }, false],
	];

	it.each(READ_FAULTS)(
		'before the refund (%s) means no refund',
		async (name, action, isPassing) => {
			const requestOptions = { timeout: TIMEOUT_MS };
			const charge = newCharge();
			sandbox.addFault({ match: { method: 'GET' }, action });
			const always = await refund(sandbox, [five(charge)], {
				requestOptions: name === 'a timeout' ? { timeout: SHORT_TIMEOUT_MS } : requestOptions,
				retryOnFail: { maxTries: name === 'a timeout' ? 2 : 3 },
			});
			expect(verdicts(always)).toEqual(['not refunded']);
			expect(executed(charge)).toEqual([]);

			sandbox.clearFaults();
			sandbox.addFault({ match: { method: 'GET', times: 1 }, action });
			const once = await refund(sandbox, [five(charge)], { requestOptions });
			expect(verdicts(once)).toEqual([isPassing ? 'refunded' : 'not refunded']);
			expect(executed(charge)).toEqual(isPassing ? ['5.00'] : []);
		},
	);

	it.each(READ_FAULTS)(
		'after a lost answer (%s) means that it is unknown',
		async (name, action) => {
			const charge = newCharge();
			sandbox.addFault({ match: { method: 'POST', times: 1 }, action: { resetAfter: true } });
			const nth = Array.from({ length: 4 * 2 * 2 }, (_, number) => number + 2);
			sandbox.addFault({ match: { method: 'GET', nth }, action });
			const result = await refund(sandbox, [five(charge)], {
				requestOptions: { timeout: TIMEOUT_MS },
				...(name === 'a timeout' ? {} : { retryOnFail: { maxTries: 2 } }),
			});
			expect(verdicts(result)).toEqual(['unknown']);
			expect(executed(charge)).toEqual(['5.00']);

			expect(posted(charge)).toBe(1);
		},
	);
});

describe('40 items of which the 21st fails', () => {
	it('tells what the 20 before it refunded, and gives all 40 in order once it recovers', async () => {
		const items = fortyItems();
		const charges = items.map(({ charge }) => charge);
		sandbox.addFault({
			match: { method: 'POST', path: `/v1/charges/${charges[20]}/` },
			action: { status: 409, body: { error: { message: 'The account is closed', code: 'x1' } } },
		});
		const failed = await refund(sandbox, items);
		expect(sandbox.maxInFlight).toBe(1);
		expect(failed.error?.message).toMatch(
			/^The account is closed \(code x1, HTTP 409\).*NOT refunded$/,
		);
		const { description } = failed.thrown[0] as { description: string };
		const done = items
			.slice(0, 20)
			.map(
				({ charge, amount }, item) =>
					`item ${item + 1}: ${amount} USD of charge ${charge} refunded`,
			);
		expect(description).toContain(`Done before this error: ${done.join('; ')}.`);
		expect(charges.map((charge) => executed(charge).length)).toEqual([
			...Array<number>(20).fill(1),
			...Array<number>(20).fill(0),
		]);
	});

	it.each([2, 5])('repeats none of them in the next of %i tries', async (maxTries) => {
		const items = fortyItems();
		const charges = items.map(({ charge }) => charge);
		sandbox.addFault({
			match: { method: 'POST', path: `/v1/charges/${charges[20]}/`, times: maxTries - 1 },
			action: { status: 422 },
		});
		const result = await refund(sandbox, items, {
			retryOnFail: { maxTries },
			readAfter: "={{ $('Input').item.json.charge }}",
		});
		expect(result.tries).toBe(maxTries);
		expect(result.error).toBeUndefined();
		expect(result.json).toMatchObject(
			items.map(({ charge, amount }) => ({ charge_id: charge, amount, currency: 'USD' })),
		);
		expect(result.after).toEqual(charges);
		expect(charges.map(executed)).toEqual(items.map(({ amount }) => [amount]));
		expect(charges.map(posted)).toEqual(charges.map((_, item) => (item === 20 ? maxTries : 1)));
	});
});
