import type { OnError } from 'n8n-workflow';

/**
 * Everything that can befall a write: the product of a few dimensions, each with one value of every kind that the node's
 * code tells apart; with all of their values in `npm run test:matrix`.
 */
const IS_FULL = process.env['WRITE_MATRIX'] === 'full';

export const OPERATIONS = ['refund', 'create', 'update', 'delete'] as const;
export const PATHS = ['custom', 'tool'] as const;

/** Milliseconds after the answer: within the node's later look at a charge, and long after it. */
export const DELAYS = { soon: 1_500, late: 20_000 } as const;

export type Operation = (typeof OPERATIONS)[number];
type Body = 'service' | 'html' | 'none' | 'failed';

/** What the service answers to the request that is hit. */
export type AnswerKind =
	| { readonly kind: 'status'; readonly status: number; readonly body: Body }
	| { readonly kind: 'reset' | 'hang' | 'neverConnected' };

export interface Cell {
	readonly operation: Operation;
	readonly path: (typeof PATHS)[number];
	readonly mode: OnError;
	readonly isRetried: boolean;
	/** Items of the run; in `pair` two items are about the same charge or link. */
	readonly input: 'three' | 'pair';
	readonly answer: AnswerKind;
	/** When the service carries out what it was asked: before it answers, some time after it, or never. */
	readonly moment: 'before' | keyof typeof DELAYS | 'never';
}

const status = (code: number, body: Body): AnswerKind => ({ kind: 'status', status: code, body });

const FULL_STATUSES = [
	...[200, 201, 202],
	...[301, 302, 303, 307, 308],
	...[400, 403, 404, 408, 409, 410, 422, 429],
	...[500, 501, 502, 503, 504],
];
const BODIES: readonly Body[] = ['service', 'html', 'none'];

/** Without a success the status alone decides: test/service/failures.test.ts tries them all. */
const ANSWERS: readonly AnswerKind[] = [
	status(200, 'service'),
	// The body says that it failed, whatever became of it.
	status(200, 'failed'),
	// Accepted, and carried out later.
	status(202, 'service'),
	status(200, 'html'),
	status(204, 'none'),
	status(307, 'none'),
	// A lost DELETE may have been carried out, and what was refused for now is tried again.
	...[404, 409, 429].map((code) => status(code, 'service')),
	status(408, 'service'),
	status(502, 'html'),
	...(IS_FULL ? FULL_STATUSES.flatMap((code) => BODIES.map((body) => status(code, body))) : []),
	{ kind: 'reset' },
	{ kind: 'hang' },
	{ kind: 'neverConnected' },
];

export const nameOf = ({ answer, moment, input, isRetried, mode }: Cell): string =>
	[
		answer.kind === 'status' ? `${answer.status} ${answer.body}` : answer.kind,
		moment,
		input,
		isRetried ? 'retried' : 'once',
		mode,
	].join(', ');

/** @returns the cells of one operation on one path */
export function cellsOf(operation: Operation, path: Cell['path']): Cell[] {
	// Links that are created or updated share nothing.
	const isShared = operation === 'refund' || operation === 'delete';
	// Both ways of continuing differ in where n8n puts a finished item. On Error has no part in a tool's call.
	const modes = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'];
	const usualModes = path === 'tool' ? 1 : 2;
	// A link is not looked at after a write.
	const isLookedAt = operation === 'refund';
	const dimensions = {
		mode: IS_FULL ? modes : modes.slice(0, usualModes),
		isRetried: [false, true],
		input: IS_FULL || isShared ? ['three', 'pair'] : ['three'],
		answer: ANSWERS,
		moment: IS_FULL || isLookedAt ? ['before', 'soon', 'late', 'never'] : ['before', 'never'],
	};
	return Object.entries(dimensions)
		.reduce<object[]>(
			(cells, [name, values]) =>
				cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
			[{ operation, path }],
		)
		.map((cell) => cell as Cell)
		.filter(
			({ answer, moment, mode, isRetried }) =>
				(answer.kind !== 'neverConnected' || moment === 'never') &&
				// Under On Error: Continue nothing is thrown that n8n would try again.
				(mode === 'stopWorkflow' || !isRetried),
		);
}

/** What the node takes for a success of the operation. */
function isConfirmed({ operation, answer }: Cell): boolean {
	if (answer.kind !== 'status' || answer.status >= 300) return false;
	const hasNoBody = answer.body === 'none' || answer.status === 204;
	// Of a deletion, the link itself is no confirmation.
	if (operation === 'delete') return hasNoBody;
	return hasNoBody ? operation === 'update' : answer.body === 'service';
}

/** Who was asked did not do it, or nobody was: it may be sent again. */
export const isRefused = ({ answer }: Cell): boolean =>
	answer.kind === 'status'
		? answer.status >= 400 && answer.status < 500 && answer.status !== 408
		: answer.kind === 'neverConnected';

/**
 * Cells in which the service says the opposite of what it does, and nothing in its interface could show it: a success
 * that is none; a refusal of a link write that was carried out (links can't be listed); a refusal of a refund that is
 * carried out after the charge was read again. The node has to believe it, so of these only the bounds are
 * checked that hold whatever is said.
 */
export function isLie(cell: Cell): boolean {
	const { operation, moment, answer } = cell;
	if (isConfirmed(cell)) return moment === 'never';
	if (!isRefused(cell) || moment === 'never') return false;
	const isReadLater = answer.kind === 'status' && [409, 429].includes(answer.status);
	return operation !== 'refund' || moment === 'late' || (moment === 'soon' && !isReadLater);
}

/** Whether nothing tells the node what became of the write that is hit. */
export function mayStayUnknown(cell: Cell): boolean {
	const { operation, moment, isRetried, answer, input } = cell;
	if (isConfirmed(cell)) return false;
	// A charge that contradicts a refusal is believed at the second look.
	if (isRefused(cell)) return moment !== 'never' && !isRetried;
	// Under a success that does not say so, the link is read, unless another item has failed meanwhile.
	const isRead = operation === 'delete' && answer.kind === 'status' && answer.status < 300;
	if (isRead && moment === 'before') return input === 'pair';
	return operation !== 'refund' || moment === 'late' || moment === 'never';
}
