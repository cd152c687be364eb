import type { IDataObject } from 'n8n-workflow';

import { MAX_HOLD_MS } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { useFakeClock } from '../../support/clock';
import {
	empty,
	failure,
	html,
	json,
	redirect,
	reset,
	text,
} from '../../support/servers/http-server';
import { uuid } from '../../support/operations';
import {
	lenientService,
	refund,
	shownCharge,
	toldBy,
	type LenientService,
	type RefundFate,
} from '../../support/refunds';

const [A, B] = [uuid(1), uuid(2)];
const TIMEOUT = { timeout: 120 };

const five = (charge: string, amount: unknown = '5.00'): IDataObject =>
	({ charge, amount }) as IDataObject;

const verdicts = (result: Parameters<typeof toldBy>[0]): string[] =>
	toldBy(result).map(({ verdict }) => verdict);

let clock: ReturnType<typeof useFakeClock>;
beforeEach(() => {
	clock = useFakeClock();
});

describe('a refund whose outcome is unknown', () => {
	it('blocks further refunds of its charge in the same run, since it may still be carried out', async () => {
		const service = await lenientService({ [A]: 1000, [B]: 1000 }, ['late']);
		const result = await refund(service, [five(A, '6.00'), five(B), five(A, '6.00')], {
			onError: 'continueRegularOutput',
			requestOptions: TIMEOUT,
		});
		service.finishLate();
		expect(verdicts(result)).toEqual(['unknown', 'refunded', 'not refunded']);
		expect(service.refunded(A)).toBe(600);
	});

	it('keeps another item of the same amount back, so that neither is taken for the other', async () => {
		const service = await lenientService({ [A]: 2000 }, [
			{ answer: failure(500, 'broken', 'internal'), executed: false },
		]);
		const result = await refund(service, [five(A), five(A)], {
			onError: 'continueRegularOutput',
			retryOnFail: { maxTries: 3 },
		});
		expect(service.refunded(A)).toBe(0);
		expect(service.posts()).toHaveLength(1);
		expect(verdicts(result)).toEqual(['unknown', 'not refunded']);
	});

	it('is not found in what somebody else refunded, by a try that comes when it no longer holds its charge', async () => {
		const service = await lenientService({ [A]: 1000 }, [{ answer: reset(), executed: false }]);
		let reads = 0;
		service.rows = (id) => {
			const rows = [service.show(service.charge(id))];
			reads += 1;
			// After the last look of the first try.
			if (reads === 3) {
				clock.advance(MAX_HOLD_MS);
				service.charge(id).refunds.push(500);
			}
			return rows;
		};
		const result = await refund(service, [five(A)], { retryOnFail: { maxTries: 2 } });
		expect(result.tries).toBe(2);
		expect(verdicts(result)).toEqual(['unknown']);
		expect(service.posts()).toHaveLength(1);
	});
});

describe('a refusal', () => {
	it('is believed when somebody else refunded another amount meanwhile', async () => {
		const service = await lenientService({ [A]: 2000 });
		service.fates = [{ answer: failure(409, 'busy'), executed: false }];
		let reads = 0;
		service.rows = (id) => {
			reads += 1;
			if (reads === 2) service.charge(id).refunds.push(300);
			return [service.show(service.charge(id))];
		};
		const result = await refund(service, [five(A)]);
		expect(verdicts(result)).toEqual(['not refunded']);
	});

	it.each([undefined, { 'retry-after': '20' }])(
		'429 leads to a second try, unless the charge has changed while waiting (%o)',
		async (headers) => {
			const service = await lenientService({ [A]: 2000, [B]: 2000 });
			service.fates = [{ answer: failure(429, 'slow', 'slow', headers), executed: false }];
			expect(verdicts(await refund(service, [five(A)]))).toEqual(['refunded']);
			service.fates = [{ answer: failure(429, 'slow', 'slow', headers), executed: false }];
			let reads = 0;
			service.rows = (id) => {
				reads += 1;
				if (reads === 2) service.charge(id).refunds.push(1800);
				return [service.show(service.charge(id))];
			};
			expect(verdicts(await refund(service, [five(B)]))).toEqual(['not refunded']);
			expect(service.refunded(B)).toBe(1800);
		},
	);
});

describe('an answer that is no confirmation', () => {
	const ANSWERS: Array<[what: string, answer: RefundFate & object]> = [
		['an error body', { answer: failure(200, 'no money'), executed: false }],
		['an error text', { answer: json({ error: 'no money' }), executed: false }],
		['a message beside an error', { answer: json({ message: 'no', error: {} }), executed: false }],
		['success: false', { answer: json({ message: 'no', success: false }), executed: false }],
		['an empty object', { answer: json({}), executed: false }],
		['a blank message', { answer: json({ message: ' ' }), executed: false }],
		['a message that is no text', { answer: json({ message: {} }), executed: false }],
		['a list', { answer: json([{ message: 'ok' }]), executed: false }],
		['a text', { answer: text('OK'), executed: false }],
		['a web page', { answer: html(), executed: false }],
		['nothing', { answer: empty(204), executed: false }],
		['null', { answer: json(null), executed: false }],
		['a 303 as after a form', { answer: redirect('/done', 303), executed: false }],
		['a 302 as after a form', { answer: redirect('/done', 302), executed: false }],
	];

	it.each(ANSWERS)('%s is checked by reading the charge', async (_what, fate) => {
		const service = await lenientService({ [A]: 2000, [B]: 2000 }, [fate]);
		const before = await refund(service, [five(A)], { retryOnFail: { maxTries: 2 } });
		expect(verdicts(before)).toEqual(['unknown']);
		expect(service.refunded(A)).toBe(0);

		service.fates = [{ ...fate, executed: true }];
		const after = await refund(service, [five(B)]);
		expect(verdicts(after)).toEqual(['refunded']);
		expect(service.refunded(B)).toBe(500);
		expect(service.posts()).toHaveLength(2);
	});
});

describe('a list that lags behind', () => {
	const lagging = (service: LenientService): void => {
		service.show = ({ id, total }) => shownCharge({ id, total, refunds: [] });
	};

	it('does not let two items of a run refund more than the total', async () => {
		const service = await lenientService({ [A]: 1000 });
		lagging(service);
		const result = await refund(service, [five(A, 6), five(A, 6), five(A, 4)], {
			onError: 'continueErrorOutput',
		});
		expect(verdicts(result)).toEqual(['refunded', 'not refunded', 'refunded']);
		expect(service.refunded(A)).toBe(1000);
		expect(result.json.map(({ remaining }) => remaining)).toEqual(['4.00', '0.00']);
	});

	it('does not either when the items write the ID in small and in capital letters', async () => {
		const id = 'abcdef00-0000-4000-8000-000000000001';
		const service = await lenientService({ [id]: 1000 });
		lagging(service);
		const result = await refund(service, [five(id, 6), five(id.toUpperCase(), 6)], {
			onError: 'continueErrorOutput',
		});
		expect(verdicts(result)).toEqual(['refunded', 'not refunded']);
	});

	it('is no proof that a refund was not carried out', async () => {
		const service = await lenientService({ [A]: 2000 });
		lagging(service);
		service.fates = ['well', { answer: failure(500, 'broken', 'internal'), executed: true }];
		const result = await refund(service, [five(A), five(A)]);
		expect(verdicts(result)).toEqual(['refunded', 'unknown']);
	});
});

describe('a failure of a gateway', () => {
	it('is found to have been a refund in the next try', async () => {
		const service = await lenientService({ [A]: 2000 }, ['late']);
		let reads = 0;
		service.rows = (id) => {
			reads += 1;
			if (reads === 4) service.finishLate();
			return [service.show(service.charge(id))];
		};
		const result = await refund(service, [five(A)], {
			retryOnFail: { maxTries: 2 },
			requestOptions: TIMEOUT,
		});
		expect(verdicts(result)).toEqual(['refunded']);
		expect(result.tries).toBe(2);
		expect(service.posts()).toHaveLength(1);
	});
});

describe('a request that never reached the service', () => {
	it('is said to be no refund', async () => {
		const service = await lenientService({ [A]: 2000 });
		service.rows = (id) => {
			service.leave();
			return [shownCharge(service.charge(id))];
		};
		const result = await refund(service, [five(A)]);
		expect(verdicts(result)).toEqual(['not refunded']);
		// It is the refund itself that found nobody, not the look at the charge before it.
		expect(service.calls()).toEqual(['GET /v1/charges']);
		expect(result.error?.message).toBe(
			`No connection to the service (connection refused) – charge ${A} was NOT refunded`,
		);
	});
});

describe('limits that an expression does not give', () => {
	it.each([
		['maximumAmount', 'Maximum Amount'],
		['expectedRefundTotal', 'Expected Refund Total'],
	])('%s is refused rather than left out', async (name, label) => {
		const service = await lenientService({ [A]: 2000 });
		for (const value of ['={{ $json.missing }}', '={{ null }}', '={{ "" }}', '']) {
			const result = await refund(service, [five(A)], { options: { [name]: value } });
			expect(result.error?.message).toContain(label);
			expect(verdicts(result)).toEqual(['not refunded']);
		}
		expect(service.posts()).toEqual([]);
	});
});
