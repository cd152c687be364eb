import { chooseState } from '../../nodes/PaymentCollectionTrigger/host/stateStore';
import type { LastPoll, PollKind } from '../../nodes/PaymentCollectionTrigger/host/triggerMemory';
import { toStored } from '../../nodes/PaymentCollectionTrigger/state/state';
import { clock } from '../../nodes/shared/clock';
import '../support/clock';

const OWNER = 'workflow, node, Base URL and Resource';

const stored = (serial: number, owner = OWNER) =>
	toStored({
		serial,
		state: {
			scope: { owner, apiKey: '', query: '' },
			polledAt: '2026-11-01T00:00:00',
			listFacts: { order: 'newestFirst', lastPage: 1 },
			since: '',
			known: '',
		},
	});

const polled =
	(serial: number, savedSerial = serial) =>
	(): LastPoll => ({ stored: stored(serial), savedSerial });

/** A tick has emitted items with state 3, which n8n has not saved as far as the process knows. */
const emitted =
	(agoMs: number, before?: () => LastPoll, isScheduled = true) =>
	(): LastPoll => ({
		...polled(3, 2)(),
		emission: { serial: 3, before: before?.(), endedAt: clock.elapsed() - agoMs, isScheduled },
	});

interface Sources {
	readonly kind?: PollKind;
	readonly inN8n?: unknown;
	readonly known?: () => LastPoll;
}

const choose = ({ kind = 'start', inN8n, known }: Sources) =>
	chooseState(kind, OWNER, inN8n, known?.());

describe('a poll continues from the newest state whose items n8n has taken', () => {
	it.each<[case_: string, Sources, serial: number, savedSerial: number]>([
		['n8n alone has a state', { inN8n: stored(1) }, 1, 1],
		['the process polled without items since', { inN8n: stored(1), known: polled(2, 1) }, 2, 1],
		['n8n has a newer one, from another process', { inN8n: stored(5), known: polled(2, 1) }, 5, 1],
		['the node was renamed, so n8n has none', { known: polled(2) }, 2, 2],
		[
			'the next tick follows: n8n has taken the items',
			{ kind: 'tick', known: emitted(0, polled(2)) },
			3,
			3,
		],
		[
			'n8n restarts the trigger with what it saved before',
			{ inN8n: stored(2), known: emitted(0, polled(2), false) },
			2,
			2,
		],
		[
			'n8n restarts the trigger with what it saved then',
			{ inN8n: stored(3), known: emitted(0, polled(2)) },
			3,
			2,
		],
		['an emission preceded a rename', { kind: 'activation', known: emitted(0, polled(2)) }, 3, 3],
		[
			'an older state comes back after a rename',
			{ inN8n: stored(1), known: emitted(0, polled(2)) },
			3,
			3,
		],
		[
			'the scheduler took the emission',
			{ kind: 'scheduledTick', inN8n: stored(3), known: emitted(0, polled(2)) },
			3,
			2,
		],
		[
			'the scheduler lost the emission',
			{ kind: 'scheduledTick', inN8n: stored(2), known: emitted(10_000, polled(2)) },
			2,
			2,
		],
	])('%s', (_case, sources, serial, savedSerial) => {
		expect(choose(sources)).toMatchObject({ serial, last: { savedSerial } });
	});
});

describe('a poll is stale', () => {
	it.each<PollKind>(['scheduledTick', 'start'])(
		'as %s with the state from before an emission that just ended',
		(kind) => {
			const sources = { kind, inN8n: stored(2), known: emitted(9_000, polled(2)) };
			expect(choose(sources)).toBe('stale');
		},
	);

	it('unless there is no state at all: the next poll would start later', () => {
		const known = emitted(0);
		expect(choose({ kind: 'scheduledTick', known })).toMatchObject({ serial: 0 });
	});
});

it('a state of another owner is reported, and a damaged one of this owner still shows its date', () => {
	const damaged = { ...stored(4), checksum: 'damaged' };
	expect(choose({})).toMatchObject({ hasRun: false, hasOnlyOthers: false, serial: 0 });
	expect(choose({ inN8n: stored(4, 'other') })).toMatchObject({
		hasRun: false,
		hasOnlyOthers: true,
	});
	expect(choose({ inN8n: damaged })).toMatchObject({
		hasRun: true,
		state: undefined,
		polledAt: '2026-11-01T00:00:00',
		hasOnlyOthers: false,
	});
});
