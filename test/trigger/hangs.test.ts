import { pollCharges } from '../../nodes/PaymentCollectionTrigger/poll';
import type { ChargePage } from '../../nodes/PaymentCollectionTrigger/list/chargePages';
import type { PollSettings } from '../../nodes/PaymentCollectionTrigger/description/settings';
import type { TriggerState } from '../../nodes/PaymentCollectionTrigger/state/state';
import { StatusFilter } from '../../nodes/shared/charges/statusFilter';
import { ServiceFailure } from '../../nodes/shared/errors/failures';
import { fromMs } from '../../nodes/shared/timestamps';
import { useFakeClock } from '../support/clock';

const MINUTE_MS = 60_000;
const PAGE_SIZE = 10;
/** What a poll may take. */
const READING_MS = 118_000;
/** What two tries of a page that hangs take. */
const HANG_MS = MINUTE_MS;

const settings: PollSettings = {
	events: new Set(['charge.created', 'charge.refunded']),
	statuses: new StatusFilter(undefined),
	filters: {},
	startFrom: undefined,
	lookbackMs: 60 * MINUTE_MS,
	maxCharges: 5_000,
	watchMs: 7 * 24 * 60 * MINUTE_MS,
	sweepPages: 5,
	simplify: false,
	includeSensitiveData: false,
};

const timeout = () =>
	new ServiceFailure({
		kind: 'timeout',
		request: 'GET /v1/charges',
		isWrite: false,
		detail: '',
		attempts: 2,
		notExecuted: false,
	});

it('a page that hangs stops neither rounds, nor the watched days, nor what comes in', async () => {
	const clock = useFakeClock();
	const charges = Array.from({ length: 60 }, (_, at) => clock.now() - (at + 1) * MINUTE_MS);
	const page = (number: number): ChargePage => ({
		number,
		rows: charges.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE).map((created) => ({
			id: String(created),
			key: String(created).slice(-10),
			created: fromMs(created),
			status: 'authorised',
			refundTotal: undefined,
			refundedAt: undefined,
			statusSince: undefined,
			record: {},
		})),
		count: charges.length,
		hasNext: number * PAGE_SIZE < charges.length,
	});
	const fetchPage = async (number: number): Promise<ChargePage> => {
		if (number !== 3) return await Promise.resolve(page(number));
		clock.advance(HANG_MS);
		throw timeout();
	};

	const told: string[] = [];
	let state: TriggerState | undefined;
	for (let poll = 0; poll < 60; poll++) {
		clock.advance(30 * MINUTE_MS);
		charges.unshift(clock.now() - 1_000);
		const nowMs = clock.now();
		const deadlineMs = nowMs + READING_MS;
		const former = state === undefined ? { hasRun: false } : { hasRun: true, state };
		const input = { scope: 'one', former, settings, fetchPage, nowMs, deadlineMs };
		const result = await pollCharges(input);
		told.push(...result.events.map(({ id }) => id));
		({ state } = result);
	}
	expect(told.length).toBe(59);
	expect(state?.lastRound).toBeDefined();
	expect(state?.watch?.isComplete).toBe(true);
});
