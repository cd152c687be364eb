import type { FaultAction } from '../../../sandbox';
import { timeOutByTurns } from '../../support/clock';
import { five, refund, verdicts } from '../../support/refunds';
import { executed, newCharge, posted, sandbox } from '../../support/refundSandbox';

describe('a charge that can’t be read', () => {
	const READ_FAULTS: Array<[name: string, action: FaultAction, isPassing: boolean]> = [
		['404', { status: 404 }, false],
		['429', { status: 429 }, true],
		['500', { status: 500 }, false],
		['502, a web page', { status: 502, html: true }, true],
		['a timeout', { hang: 'before' }, true],
		['a reset', { resetBefore: true }, true],
		['malformed JSON', { malformedJson: true }, false],
		['an empty list', { body: { count: 0, results: [] } }, false],
		['a redirect', { redirectTo: '/' }, false],
	];

	it.each(READ_FAULTS)(
		'before the refund (%s) means no refund',
		async (_name, action, isPassing) => {
			timeOutByTurns();
			const charge = newCharge();
			sandbox.addFault({ match: { method: 'GET' }, action });
			const always = await refund(sandbox, [five(charge)], { retryOnFail: { maxTries: 2 } });
			expect(verdicts(always)).toEqual(['not done']);
			expect(executed(charge)).toEqual([]);

			sandbox.clearFaults();
			sandbox.addFault({ match: { method: 'GET', times: 1 }, action });
			const once = await refund(sandbox, [five(charge)]);
			expect(verdicts(once)).toEqual([isPassing ? 'done' : 'not done']);
			expect(executed(charge)).toEqual(isPassing ? ['5.00'] : []);
		},
	);

	it.each(READ_FAULTS)(
		'after a lost answer (%s) means that it is unknown',
		async (_name, action) => {
			timeOutByTurns();
			const charge = newCharge();
			sandbox.addFault({ match: { method: 'POST', times: 1 }, action: { resetAfter: true } });
			const nth = Array.from({ length: 4 * 2 * 2 }, (_, number) => number + 2);
			sandbox.addFault({ match: { method: 'GET', nth }, action });
			const result = await refund(sandbox, [five(charge)], { retryOnFail: { maxTries: 2 } });
			expect(verdicts(result)).toEqual(['unknown']);
			expect(executed(charge)).toEqual(['5.00']);
			expect(posted(charge)).toBe(1);
		},
	);
});
