import type { OnError } from 'n8n-workflow';

/**
 * The dimensions of everything that can befall a write, and which of their cells are equal by construction. The whole
 * product is run by `npm run test:matrix`; `npm test` runs one cell of each class of equal ones.
 */

export const OPERATIONS = ['refund', 'create', 'update', 'delete'] as const;
export const PATHS = ['custom', 'tool'] as const;
const MODES: readonly OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const RETRIES = [false, true] as const;
/** Items of the run; in `pair` two items are about the same charge or link. */
const INPUTS = ['one', 'three', 'pair'] as const;
/** When the service carries out what it was asked: before it answers, so many seconds later, or never. */
const MOMENTS = ['before', 'soon', 'late', 'never'] as const;
const BODIES = ['service', 'html', 'none'] as const;
const STATUSES = [
	...[200, 201, 204],
	...[301, 302, 303, 307, 308],
	...[400, 404, 408, 409, 429],
	...[500, 501, 502, 503, 504],
];

/** Milliseconds after the answer: within the node's later look at a charge, and long after it. */
export const DELAYS = { soon: 1_500, late: 20_000 } as const;

export type Operation = (typeof OPERATIONS)[number];
type Body = (typeof BODIES)[number];

/** What the service answers to the request that is hit. */
export type AnswerKind =
	| { readonly kind: 'status'; readonly status: number; readonly body: Body }
	| { readonly kind: 'reset' | 'hang' | 'neverConnected' };

export interface Cell {
	readonly operation: Operation;
	readonly path: (typeof PATHS)[number];
	readonly mode: OnError;
	readonly isRetried: boolean;
	readonly input: (typeof INPUTS)[number];
	readonly answer: AnswerKind;
	readonly moment: (typeof MOMENTS)[number];
}

const ANSWERS: readonly AnswerKind[] = [
	...STATUSES.flatMap((status) =>
		BODIES.map((body) => ({ kind: 'status', status, body }) as const),
	),
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

/** The whole product, but for what can't be: a request that never arrives is never carried out. */
export function allCells(): Cell[] {
	return OPERATIONS.flatMap((operation) =>
		PATHS.flatMap((path) =>
			MODES.flatMap((mode) =>
				RETRIES.flatMap((isRetried) =>
					INPUTS.flatMap((input) =>
						ANSWERS.flatMap((answer) =>
							MOMENTS.map((moment) => ({
								operation,
								path,
								mode,
								isRetried,
								input,
								answer,
								moment,
							})),
						),
					),
				),
			),
		),
	).filter(({ answer, moment }) => answer.kind !== 'neverConnected' || moment === 'never');
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** 4xx other than 408: the service says that it did nothing. */
const isRefusal = (answer: AnswerKind): boolean =>
	answer.kind === 'status' && answer.status >= 400 && answer.status < 500 && answer.status !== 408;

/** What the node takes for a success of the operation. */
function isConfirmed({ operation, answer }: Cell): boolean {
	if (answer.kind !== 'status' || !isSuccess(answer.status)) return false;
	// HTTP has no body under 204.
	const body = answer.status === 204 ? 'none' : answer.body;
	const needsNoBody = operation === 'delete' || operation === 'update';
	return needsNoBody ? body !== 'html' : body === 'service';
}

/**
 * Cells in which the service says the opposite of what it does, and nothing in its interface could show it: a success
 * that is none; a refusal of a link write that was carried out (links can't be listed); a refusal of a refund that is
 * carried out long after the charge was read again. The node has to believe it, so of these only the bounds are
 * checked that hold whatever is said.
 */
export function isLie(cell: Cell): boolean {
	const { operation, answer, moment } = cell;
	if (isConfirmed(cell)) return moment === 'never';
	if (!isRefusal(answer) || moment === 'never') return false;
	return operation !== 'refund' || moment === 'late';
}

/**
 * A text that is the same for cells that the node's code can't tell apart:
 * - Below 200 and from 300 on, the outcome is decided by the status alone (failure.ts); the body gives the message.
 * - Statuses with the same outcome in that table are one answer, but for 404 (a lost DELETE) and 429 (tried again).
 * - A link is not looked at after a write, so it is the same when that is carried out: before the answer, or after it.
 * - On the tool path each item is a call of its own, so On Error has no part in it, and one call is as good as three.
 * - Items of `pair` share nothing when they create or update: each write stands for itself, as in `three`.
 * - The two ways of continuing differ in where n8n puts a finished item.
 */
function classOf(cell: Cell): string {
	const { operation, path, mode, isRetried, answer, moment } = cell;
	return JSON.stringify([
		operation,
		path,
		path === 'tool' ? 'any' : mode === 'stopWorkflow' ? 'stop' : 'continue',
		isRetried,
		inputClass(cell),
		answerClass(answer),
		operation === 'refund' || moment === 'never' ? moment : 'sometime',
		isConfirmed(cell),
	]);
}

function inputClass({ operation, path, input }: Cell): Cell['input'] {
	if (input === 'pair') return operation === 'create' || operation === 'update' ? 'three' : 'pair';
	return path === 'tool' ? 'three' : input;
}

function answerClass(answer: AnswerKind): string {
	if (answer.kind !== 'status') return answer.kind;
	const { status, body } = answer;
	if (isSuccess(status)) return `2xx ${status === 204 ? 'none' : body}`;
	if (status === 404 || status === 429) return String(status);
	return isRefusal(answer) ? 'refused' : 'unknown';
}

/** One cell of each class, another one for another seed. */
export function oneOfEach(cells: readonly Cell[], seed: number): Cell[] {
	const classes = new Map<string, Cell[]>();
	for (const cell of cells) {
		const key = classOf(cell);
		classes.set(key, [...(classes.get(key) ?? []), cell]);
	}
	return [...classes.values()].map((equal, index) => {
		const chosen = equal[(seed + index * 7) % equal.length];
		if (chosen === undefined) throw new Error('A class without cells');
		return chosen;
	});
}
