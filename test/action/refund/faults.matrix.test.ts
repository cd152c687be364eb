import type { OnError } from 'n8n-workflow';
import type { FaultAction } from '../../../sandbox';
import { refund, toldBy, type Told } from '../../support/refunds';
import { executed, newCharge, posted, sandbox } from '../../support/refundSandbox';

/**
 * Every fault that can befall a refund, under every On Error setting, with Retry On Fail off and on, for 1, 4 and
 * 40 items, by an amount and of all that is left: each refund is executed at most once, and what the user is told is what the service did.
 */

type Verdict = Told['verdict'];

interface Fault {
	name: string;
	/** What befalls the request to refund. */
	action: FaultAction;
	/** What must be told of the refund when it goes wrong so. */
	told: Verdict;
	/** Whether the next try sends it again: it was refused for certain. */
	isSentAgain?: boolean;
	/** Whether the transport by itself gets over it when it happens once. */
	passes?: boolean;
	/** Needs a short timeout, and the time that it takes. */
	waits?: boolean;
}

/** Long enough for an answer of a busy machine. */
const TIMEOUT_MS = 250;

/** Longer than the timeout, and than both looks at the charge take. */
const SLOW_MS = 750;

const statuses = (
	codes: number[],
	before: Pick<Fault, 'told' | 'isSentAgain'>,
	after: Pick<Fault, 'told'>,
	page: FaultAction = {},
): Fault[] =>
	codes.flatMap((status) => [
		{ name: `${status}`, action: { status, ...page }, ...before },
		{
			name: `${status} after executing`,
			action: { status, ...page, afterExecuting: true },
			...after,
		},
	]);

const bodies = (name: string, action: FaultAction): Fault[] => [
	{ name, action, told: 'unknown' },
	{
		name: `${name} after executing`,
		action: { ...action, afterExecuting: true },
		told: 'refunded',
	},
];

const FAULTS: Fault[] = [
	...statuses(
		[400, 401, 403, 404, 409, 422],
		{ told: 'not refunded', isSentAgain: true },
		{ told: 'unknown' },
	),
	...statuses([408, 500, 502, 503, 504], { told: 'unknown' }, { told: 'refunded' }),
	...statuses([500, 502, 503], { told: 'unknown' }, { told: 'refunded' }, { html: true }).map(
		(fault) => ({ ...fault, name: `${fault.name}, a web page` }),
	),
	{
		name: '429',
		action: { status: 429 },
		told: 'not refunded',
		isSentAgain: true,
		passes: true,
	},
	{
		name: '429 with Retry-After',
		action: { status: 429, headers: { 'retry-after': '7' } },
		told: 'not refunded',
		isSentAgain: true,
		passes: true,
	},
	{
		name: '429 with a Retry-After beyond the budget',
		action: { status: 429, headers: { 'retry-after': '600' } },
		told: 'not refunded',
		isSentAgain: true,
	},
	{
		name: '429 after executing',
		action: { status: 429, afterExecuting: true },
		told: 'unknown',
	},
	{
		name: '429 with a Retry-After beyond the budget after executing',
		action: { status: 429, headers: { 'retry-after': '600' }, afterExecuting: true },
		told: 'unknown',
	},
	...bodies('a redirect', { redirectTo: '/', status: 307 }),
	...bodies('a redirect as after a form', { redirectTo: '/', status: 303 }),
	...bodies('malformed JSON', { malformedJson: true }),
	...bodies('a web page under 200', { html: true }),
	...bodies('an error body under 200', { status: 200 }),
	...bodies('an empty answer', { status: 200, body: '' }),
	{ name: 'a reset before executing', action: { resetBefore: true }, told: 'unknown' },
	{ name: 'a reset after executing', action: { resetAfter: true }, told: 'refunded' },
	{ name: 'an answer cut off', action: { cutOff: true }, told: 'refunded' },
	{ name: 'a timeout before executing', action: { hang: 'before' }, told: 'unknown', waits: true },
	{ name: 'a timeout after executing', action: { hang: 'after' }, told: 'refunded', waits: true },
	{
		name: 'a timeout long before executing',
		action: { delayMs: SLOW_MS },
		told: 'unknown',
		waits: true,
	},
];

const MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

interface Case {
	mode: OnError;
	/** 1 stands for Retry On Fail off. */
	maxTries: number;
	items: number;
	/** The item that it befalls. */
	at: number;
	times: 'once' | 'always';
	amountType: 'full' | 'partial';
}

/** Faults that differ from one of these by their status alone get fewer cases. */
const MAIN = new Set([
	...['400', '401', '403', '404', '409', '422', '500', '503'],
	...['429', '429 with Retry-After', '502, a web page', '502 after executing, a web page'],
	...['a timeout before executing', 'a timeout after executing', 'malformed JSON'],
	...['a reset before executing', 'a reset after executing', 'malformed JSON after executing'],
]);

/** Every On Error setting with every number of tries, for 1 and 4 items by turns, and 40 items once. */
function casesFor(index: number, fault: Fault): Case[] {
	const turn = <T>(values: readonly T[], by: number): T => values[by % values.length] as T;
	const crossed = MODES.flatMap((mode) => [1, 2, 3, 4, 5].map((maxTries) => ({ mode, maxTries })));
	const few = crossed.map((pair, row): Case => {
		const by = index + row + Math.floor(row / 5);
		const items = turn([1, 4], by);
		return {
			...pair,
			items,
			at: items === 1 ? 0 : turn([0, 2, 0, 3, 1], by),
			times: turn(['once', 'always', 'always', 'once'], by),
			amountType: turn(['partial', 'full', 'full', 'partial', 'full'], by + row),
		};
	});
	const many: Case = {
		mode: turn(MODES, index),
		maxTries: turn([2, 3, 1, 5], index),
		items: 40,
		at: turn([20, 0, 39], index),
		times: turn(['once', 'always'], index),
		amountType: turn(['full', 'partial', 'partial', 'full'], index),
	};
	// A timeout takes real time: every other pair, so that each setting and each number of tries is still there.
	if (MAIN.has(fault.name)) {
		return [...few.filter((_, row) => fault.waits !== true || row % 2 === 0), many];
	}
	const step = fault.action.delayMs === undefined ? 4 : 5;
	return few.filter((_, row) => row % step === index % step);
}

const amountOf = (item: number): string => `5.${String(item).padStart(2, '0')}`;

const isDone = (): boolean => sandbox.requests.every(({ endedAtMs }) => endedAtMs !== null);

/** What is still on its way in the service after the node has ended. */
async function dustSettles(): Promise<void> {
	for (let waited = 0; waited < 20 && !isDone(); waited += 1) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** What must be told of the item that the fault befalls. */
function expected(fault: Fault, { mode, maxTries, at, times }: Case): Verdict[] {
	// Under On Error: Continue n8n tries again only when the first item has failed.
	const isTriedAgain = maxTries > 1 && (mode === 'stopWorkflow' || at === 0);
	if (times === 'once' && fault.passes === true) return ['refunded'];
	if (times === 'once' && fault.isSentAgain === true && isTriedAgain) return ['refunded'];
	// A later try may see what the first one did not.
	return fault.action.delayMs !== undefined && isTriedAgain
		? ['unknown', 'refunded']
		: [fault.told];
}

async function problemsOf(fault: Fault, one: Case): Promise<string[]> {
	const isFull = one.amountType === 'full';
	const charges = Array.from({ length: one.items }, (_, item) =>
		newCharge(isFull ? amountOf(item) : '20.00'),
	);
	const hit = charges[one.at] ?? '';
	const rule = sandbox.addFault({
		match: {
			method: 'POST',
			path: `/v1/charges/${hit}/`,
			...(one.times === 'once' ? { times: 1 } : {}),
		},
		action: fault.action,
	});
	const result = await refund(
		sandbox,
		charges.map((charge, item) => ({ charge, amount: amountOf(item) })),
		{
			parameters: { amountType: one.amountType },
			onError: one.mode,
			...(one.maxTries > 1 ? { retryOnFail: { maxTries: one.maxTries } } : {}),
			...(fault.waits === true ? { requestOptions: { timeout: TIMEOUT_MS } } : {}),
		},
	);
	if (fault.action.delayMs !== undefined) {
		await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
	}
	await dustSettles();
	sandbox.removeFault(rule);

	const told = toldBy(result);
	const verdicts = expected(fault, one);
	const stops = one.mode === 'stopWorkflow' && told.some(({ verdict }) => verdict !== 'refunded');
	const problems = charges.flatMap((charge, item): string[] => {
		const done = executed(charge);
		const said = told.filter((candidate) => candidate.item === item);
		const verdict = said[0]?.verdict;
		const wanted: Array<Verdict | undefined> =
			item === one.at ? verdicts : stops && item > one.at ? [undefined] : ['refunded'];
		const isTrue =
			verdict === 'unknown' ||
			(verdict === 'refunded'
				? done.join() === amountOf(item) && said[0]?.text === amountOf(item)
				: done.length === 0);
		const isSentOnce = (item === one.at && fault.isSentAgain === true) || posted(charge) <= 1;
		return [
			...(done.length > 1 ? [`item ${item}: refunded ${done.length} times`] : []),
			...(said.length > 1 ? [`item ${item}: told ${said.length} times`] : []),
			...(isTrue ? [] : [`item ${item}: told ${verdict}, executed ${done.join() || 'nothing'}`]),
			...(isSentOnce ? [] : [`item ${item}: sent ${posted(charge)} times`]),
			...(wanted.includes(verdict) ? [] : [`item ${item}: told ${verdict}, not ${wanted.join()}`]),
		];
	});
	return problems.map((problem) => `${JSON.stringify(one)} ${problem}`);
}

describe.each(FAULTS.map((fault, index) => [fault.name, fault, index] as const))(
	'%s',
	(_name, fault, index) => {
		it('leads to one refund at most, and to the truth about it', async () => {
			const problems: string[] = [];
			for (const one of casesFor(index, fault)) problems.push(...(await problemsOf(fault, one)));
			expect(problems).toEqual([]);
		});
	},
);
