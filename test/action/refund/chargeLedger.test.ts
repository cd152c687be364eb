import {
	MAX_CHARGES,
	MAX_HOLD_MS,
	MAX_LIST_LAG_MS,
	chargesKept,
	closeOpen,
	inTurn,
	noteRefund,
	type ChargeLedger,
	type OpenRefund,
} from '../../../nodes/PaymentCollection/resources/charge/refund/chargeLedger';
import { CancelledError } from '../../../nodes/shared/errors/cancellation';
import { clock } from '../../../nodes/shared/clock';
import { useFakeClock } from '../../support/clock';

const amount = { units: 500n, scale: 2 };
const before = {
	id: 'a',
	currency: 'USD',
	total: { units: 1000n, scale: 2 },
	refunded: { units: 0n, scale: 0 },
	left: { units: 1000n, scale: 2 },
	refundedHere: { units: 0n, scale: 0 },
};

const openRefund = (key = 'one'): OpenRefund => ({
	attempt: { key, run: {}, request: '' },
	hasKey: false,
	before,
	amount,
	sentAt: clock.now(),
});

const at = (chargeId: string, baseUrl = 'https://pay.example') => ({ baseUrl, chargeId });

const turn = async <T>(charge: string, task: (ledger: ChargeLedger) => T): Promise<T> =>
	await inTurn(at(charge), undefined, async (ledger) => await Promise.resolve(task(ledger)));

describe('what the process keeps of a charge', () => {
	it('is one thing for all that ask, whatever letters the ID is written in', async () => {
		useFakeClock();
		await turn('abc', (ledger) => void (ledger.open = openRefund()));
		expect(await turn('ABC', ({ open }) => open?.attempt.key)).toBe('one');
		expect(await turn('abd', ({ open }) => open)).toBeUndefined();
		await turn('abc', (ledger) => closeOpen(ledger, openRefund('another').attempt));
		expect(await turn('abc', ({ open }) => open)).toBeDefined();
		await turn('abc', (ledger) => closeOpen(ledger, openRefund().attempt));
		expect(await turn('abc', ({ open }) => open)).toBeUndefined();
	});

	it('forgets an unknown refund, and what the list should show by now, after their times', async () => {
		const time = useFakeClock();
		await turn('times', (ledger) => {
			ledger.open = openRefund();
			noteRefund(ledger, amount, { ...before, refunded: amount });
		});
		time.advance(MAX_HOLD_MS - 1);
		expect(await turn('times', ({ open }) => open)).toBeDefined();
		time.advance(1);
		expect(await turn('times', ({ open }) => open)).toBeUndefined();
		expect(await turn('times', ({ refundTotal }) => refundTotal.units)).toBe(500n);
		time.advance(MAX_LIST_LAG_MS);
		expect(await turn('times', ({ refundTotal }) => refundTotal.units)).toBe(0n);
	});

	it('is bounded, and drops what was used longest ago but never what is held', async () => {
		useFakeClock();
		await turn('held', (ledger) => void (ledger.open = openRefund()));
		for (let number = 0; number < MAX_CHARGES + 5; number += 1) {
			await turn(`charge ${number}`, () => undefined);
		}
		expect(chargesKept()).toBeLessThanOrEqual(MAX_CHARGES + 1);
		expect(await turn('held', ({ open }) => open)).toBeDefined();
	});

	it('is freed when nobody has asked for a long time', async () => {
		const time = useFakeClock();
		for (let number = 0; number < 50; number += 1) await turn(`old ${number}`, () => undefined);
		time.advance(MAX_HOLD_MS + MAX_LIST_LAG_MS);
		await turn('young', () => undefined);
		expect(chargesKept()).toBe(1);
	});
});

describe('the queue of a charge', () => {
	it('goes on after a failure, in the order of the calls', async () => {
		const done: number[] = [];
		const calls = [1, 2, 3].map(
			async (number) =>
				await inTurn(at('queue'), undefined, async () => {
					await new Promise((resolve) => setTimeout(resolve, 10 - number));
					done.push(number);
					if (number === 2) throw new Error('two');
				}),
		);
		await expect(Promise.all(calls)).rejects.toThrow('two');
		await calls[2];
		expect(done).toEqual([1, 2, 3]);
	});

	it('passes over who was stopped while waiting', async () => {
		const controller = new AbortController();
		const first = inTurn(at('stop'), undefined, async () => {
			await new Promise((resolve) => setTimeout(resolve, 10));
		});
		const second = inTurn(at('stop'), controller.signal, async () => {
			throw await Promise.resolve(new Error('must not run'));
		});
		controller.abort();
		await first;
		await expect(second).rejects.toBeInstanceOf(CancelledError);
	});
});
