import type { IDataObject, OnError } from 'n8n-workflow';

import type { OperationDefinition, WriteDefinition } from '../../nodes/PaymentCollection/operation';
import { RESOURCES } from '../../nodes/PaymentCollection/resources';
import type { Endpoint } from '../../nodes/shared/service/request';
import { OPERATIONS, envelope, keyOf, uuid, type OperationCase } from './operations';
import { shownCharge } from './refunds';
import {
	empty,
	failure,
	hang,
	html,
	json,
	reset,
	type Answer,
	type RecordedRequest,
} from './servers/http-server';

export interface Write extends WriteDefinition {
	readonly name: string;
	readonly method: Endpoint['method'];
	readonly answers: Endpoint['answers'];
	/** True if it changes an existing record. */
	readonly hasId: boolean;
	readonly example: OperationCase;
}

/** Every write of the node. A new one is tried as soon as it has its example. */
export const WRITES: readonly Write[] = RESOURCES.flatMap(({ value, operations }) =>
	Object.entries<OperationDefinition>(operations).flatMap(([operation, { write, endpoint }]) => {
		if (write === undefined) return [];
		const name = `${value} ${operation}`;
		const example = OPERATIONS[name as keyof typeof OPERATIONS];
		const { method, path, answers } = endpoint;
		const hasId = path.includes('{id}');
		return [{ ...write, name, method, answers, hasId, example }];
	}),
);

/**
 * Everything that can happen to a write: the product of a few dimensions, each with one value of every kind that the
 * node's code distinguishes; with all of their values in `npm run test:matrix`.
 */
const IS_FULL = process.env['WRITE_MATRIX'] === 'full';

export const PATHS = ['custom', 'tool'] as const;

/** Milliseconds after the response: within the node's later look at a charge, and long after it. */
const DELAYS = { soon: 1_500, late: 20_000 } as const;

type Body = 'service' | 'html' | 'none' | 'failed';

/** Answer to the request that is struck. */
type StruckAnswer =
	| { readonly kind: 'status'; readonly status: number; readonly body: Body }
	| { readonly kind: 'reset' | 'hang' | 'neverConnected' };

export interface Cell {
	readonly write: Write;
	readonly path: (typeof PATHS)[number];
	readonly mode: OnError;
	readonly isRetried: boolean;
	/** Items of the run; in `pair` two items are about the same record, or create one each. */
	readonly input: 'three' | 'pair';
	readonly answer: StruckAnswer;
	/** When the service carries out the request: before it answers, some time after it, or never. */
	readonly moment: 'before' | keyof typeof DELAYS | 'never';
}

const status = (code: number, body: Body): StruckAnswer => ({ kind: 'status', status: code, body });

const FULL_STATUSES = [
	...[200, 201, 202],
	...[301, 302, 303, 307, 308],
	...[400, 403, 404, 408, 409, 410, 422, 429],
	...[500, 501, 502, 503, 504],
];
const BODIES: readonly Body[] = ['service', 'html', 'none'];

/** Without a success the status alone decides: test/service/failures.test.ts tries them all. */
const ANSWERS: readonly StruckAnswer[] = [
	status(200, 'service'),
	// The body says that it failed, whether it did or not.
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

/** @returns the cells of one write on one path */
export function cellsOf(write: Write, path: Cell['path']): Cell[] {
	// Both ways of continuing differ in where n8n puts a finished item. On Error has no part in a tool's call.
	const modes = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'];
	const usualModes = path === 'tool' ? 1 : 2;
	// Two refunds share the charge's balance, and a deletion leaves nothing to a second one. Other writes share nothing.
	const isShared = write.movesMoney === true || write.method === 'DELETE';
	// Two equal requests about one record are rightly carried out twice.
	const isPaired = isShared || (IS_FULL && (write.method === 'PATCH' || !write.hasId));
	// Only a charge is looked at again, some time after a write.
	const isLookedAt = IS_FULL || write.movesMoney === true;
	const dimensions = {
		mode: IS_FULL ? modes : modes.slice(0, usualModes),
		isRetried: [false, true],
		input: isPaired ? ['three', 'pair'] : ['three'],
		answer: ANSWERS,
		moment: isLookedAt ? ['before', 'soon', 'late', 'never'] : ['before', 'never'],
	};
	return Object.entries(dimensions)
		.reduce<object[]>(
			(cells, [name, values]) =>
				cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
			[{ write, path }],
		)
		.map((cell) => cell as Cell)
		.filter(
			({ answer, moment, mode, isRetried }) =>
				(answer.kind !== 'neverConnected' || moment === 'never') &&
				// Nothing is thrown, and so retried, if On Error is Continue.
				(mode === 'stopWorkflow' || !isRetried),
		);
}

/** True if the node takes the response for a success of the write. */
function isConfirmed({ write: { answers }, answer }: Cell): boolean {
	if (answer.kind !== 'status' || answer.status >= 300) return false;
	const hasNoBody = answer.body === 'none' || answer.status === 204;
	// The record itself does not confirm that it was deleted.
	if (answers === 'deletion') return hasNoBody;
	return hasNoBody ? answers === 'change' : answer.body === 'service';
}

/** True if the answer says that the write was not carried out, so the node can send it again. */
export const isRefused = ({ answer }: Cell): boolean =>
	answer.kind === 'status'
		? answer.status >= 400 && answer.status < 500 && answer.status !== 408
		: answer.kind === 'neverConnected';

/**
 * Cells in which the service says the opposite of what it does, and nothing in its API could show it: a success that is
 * none; a refusal of a link write that was carried out (links can't be listed); a refusal of a refund that is carried out
 * after the charge was read again. The node has to believe it, so only the bounds are checked that hold whatever is said.
 */
export function isLie(cell: Cell): boolean {
	const { write, moment, answer } = cell;
	if (isConfirmed(cell)) return moment === 'never';
	if (!isRefused(cell) || moment === 'never') return false;
	const isReadLater = answer.kind === 'status' && [409, 429].includes(answer.status);
	return !write.movesMoney || moment === 'late' || (moment === 'soon' && !isReadLater);
}

/** True if nothing shows the node the outcome of the struck write. */
export function mayStayUnknown(cell: Cell): boolean {
	const { write, moment, isRetried, answer, input } = cell;
	if (isConfirmed(cell)) return false;
	// A charge that contradicts a refusal is believed at the second look.
	if (isRefused(cell)) return moment !== 'never' && !isRetried;
	// After an unclear success, the link is read, unless another item failed meanwhile.
	const isRead = write.method === 'DELETE' && answer.kind === 'status' && answer.status < 300;
	if (isRead && moment === 'before') return input === 'pair';
	return !write.movesMoney || moment === 'late' || moment === 'never';
}

export interface WriteItem extends IDataObject {
	/** ID of the charge or link, or title of the new link. */
	readonly key: string;
	/** Refunds of one charge have different ones. Updates of one link have it as the new title. */
	readonly amount: string;
}

/** True if two items about the same record request different changes. */
export const isOwnEach = ({ movesMoney, method }: Write): boolean =>
	movesMoney === true || method === 'PATCH';

/** A service for one cell alone. */
export class CellService {
	/** Writes that were carried out, in order; see `effectOf`. */
	readonly effects: string[] = [];
	readonly writes: string[] = [];
	readonly tooLate: string[] = [];
	readonly items: WriteItem[];
	readonly struck: string;
	private pending: Array<{ at: number; carryOut: () => void }> = [];
	private strikes = 0;
	private isOver = false;

	/** @param now virtual time, in milliseconds */
	constructor(
		readonly cell: Cell,
		private readonly now: () => number,
	) {
		const isPair = cell.input === 'pair';
		this.items = Array.from({ length: isPair ? 2 : 3 }, (_, item) => ({
			key: uuid(isPair && cell.write.hasId ? 1 : item + 1),
			amount: `${item + 5}.00`,
		}));
		this.struck = this.effectOf(this.items[isPair ? 0 : 1]);
	}

	/** Name of a carried out item or request in `effects`. */
	effectOf({ key = '', amount = '' }: Partial<WriteItem> = {}): string {
		return isOwnEach(this.cell.write) ? `${key} ${amount}` : key;
	}

	carryOutAll(): void {
		this.carryOutUntil(Infinity);
	}

	/** The run has ended: every request from now on is too late. */
	end(): void {
		this.isOver = true;
	}

	answer(request: RecordedRequest): Answer {
		const { method, path, body } = request;
		if (this.isOver) this.tooLate.push(`${method} ${path} sent after the end`);
		this.carryOutUntil(this.now());
		const key = keyOf(request);
		const { write, moment, isRetried } = this.cell;
		const isGone = (): boolean => write.method === 'DELETE' && this.effects.includes(key);
		if (method === 'GET' && write.movesMoney) return this.charges();
		if (isGone()) return failure(404, 'no such link');
		if (method === 'GET') return json({ id: key });
		const { title = '', amount = title } = (body ?? {}) as Record<string, string>;
		const effect = this.effectOf({ key, amount });
		this.writes.push(effect);
		const isStruck = effect === this.struck && (this.strikes === 0 || !isRetried);
		if (!isStruck) {
			this.effects.push(effect);
			return write.example.answers(key, request);
		}
		this.strikes += 1;
		const carryOut = (): void => {
			if (!isGone()) this.effects.push(effect);
		};
		if (moment === 'before') carryOut();
		else if (moment !== 'never') this.pending.push({ at: this.now() + DELAYS[moment], carryOut });
		return this.struckAnswer(key, request);
	}

	private struckAnswer(key: string, request: RecordedRequest): Answer {
		const { answer, write } = this.cell;
		if (answer.kind === 'hang') return hang();
		if (answer.kind !== 'status') return reset();
		const { status: code, body } = answer;
		if (code === 204 || body === 'none') return empty(code);
		if (body === 'html') return html('<h1>Gateway</h1>', code);
		const message = 'The service says so';
		if (body === 'failed') return json({ status: 'failed', message }, code);
		if (code >= 300) return failure(code, message, 'code');
		// A link that was deleted is shown as it was.
		if (write.method === 'DELETE') return json({ id: key }, code);
		return { ...(write.example.answers(key, request) as Answer & { kind: 'reply' }), status: code };
	}

	/** All charges, whichever was asked for: the node picks its own. */
	private charges(): Answer {
		const ids = [...new Set(this.items.map(({ key }) => key))];
		const rows = ids.map((id) => {
			const amounts = this.effects.map((effect) => effect.split(' ')).filter(([of]) => of === id);
			const refunds = amounts.map(([, amount]) => 100 * Number(amount));
			return shownCharge({ id, total: 10_000, refunds });
		});
		return json(envelope(...rows));
	}

	private carryOutUntil(ms: number): void {
		for (const { carryOut } of this.pending.filter(({ at }) => at <= ms)) carryOut();
		this.pending = this.pending.filter(({ at }) => at > ms);
	}
}
