import {
	MAX_UNSHOWN_MS,
	forgetAll,
	inTurn,
	type ChargeLedger,
	type Refund,
} from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { CancelledError } from '../../../nodes/shared/clock';
import { Amount } from '../../../nodes/shared/money';
import type { ItemContext } from '../../../nodes/shared/n8nAdapter';
import type { Transport } from '../../../nodes/shared/service/transport';
import { clock } from '../../support/clock';

const amount = new Amount(500n, 2);
const before = {
	id: 'a',
	currency: 'USD',
	total: new Amount(1000n, 2),
	owner: {},
	refunded: Amount.ZERO,
	remark: '',
	redact: (text: string) => text,
};

const sentRefund = (step = 'one'): Refund => ({
	writeId: { step, run: {}, hash: '' },
	key: undefined,
	isTool: false,
	before,
	amount,
});

/** Takes a turn in another execution. */
async function turn<T>(
	charge: string,
	task: (ledger: ChargeLedger) => T,
	baseUrl = 'https://pay.example',
	signal?: AbortSignal,
): Promise<T> {
	const context = { getExecutionId: () => '1', getContext: () => ({}) } as unknown as ItemContext;
	const here = { context, transport: { baseUrl, signal } as Transport };
	return await inTurn(here, charge, async (ledger) => await Promise.resolve(task(ledger)));
}

const done = (ledger: ChargeLedger): unknown =>
	ledger.noteCarriedOut(sentRefund(), { ...before, refunded: amount }, 'Refunded');

beforeEach(forgetAll);

describe('the ledger of a charge', () => {
	it('is shared by all executions, with the ID in either case', async () => {
		await turn('abc', (ledger) => ledger.notePending(sentRefund()));
		expect(await turn('ABC', ({ pending }) => pending?.writeId.step)).toBe('one');
		expect(await turn('abd', ({ pending }) => pending)).toBeUndefined();
		// A copy of the service for tests has charges with the same IDs.
		const copy = 'https://copy.example';
		expect(await turn('abc', ({ pending }) => pending, copy)).toBeUndefined();
		await turn('abc', (ledger) => ledger.release(sentRefund('another').writeId));
		expect(await turn('abc', ({ pending }) => pending)).toBeDefined();
		await turn('abc', (ledger) => ledger.release(sentRefund().writeId));
		expect(await turn('abc', ({ pending }) => pending)).toBeUndefined();
	});

	it('is freed when it contains nothing any more', async () => {
		const first = await turn('a', (ledger) => (done(ledger), ledger));
		clock.advance(MAX_UNSHOWN_MS);
		await turn('b', () => undefined);
		expect(await turn('a', (ledger) => ledger)).toBe(first);
		clock.advance(1);
		await turn('b', () => undefined);
		expect(await turn('a', (ledger) => ledger)).not.toBe(first);
	});
});

it('an execution that is stopped while it waits for a charge does nothing, and the next one continues', async () => {
	const controller = new AbortController();
	const order: number[] = [];
	const ask = async (number: number, signal?: AbortSignal): Promise<number> =>
		await turn('stop', () => order.push(number), undefined, signal);
	const calls = [ask(1), ask(2, controller.signal), ask(3)];
	controller.abort();
	await expect(calls[1]).rejects.toBeInstanceOf(CancelledError);
	await Promise.all([calls[0], calls[2]]);
	expect(order).toEqual([1, 3]);
});
