import type { IDataObject } from 'n8n-workflow';

import {
	empty,
	failure,
	hang,
	html,
	json,
	reset,
	type Answer,
	type RecordedRequest,
} from './http-server';
import { envelope, uuid } from '../operations';
import { DELAYS, type AnswerKind, type Cell } from '../writeMatrix';

/** One item of a run: what it is about, and what tells its request from those of the others. */
export interface WriteItem extends IDataObject {
	/** The charge or link. */
	readonly target: string;
	/** Of a refund: each item has one of its own. */
	readonly amount: string;
	/** Of a link: each item has one of its own. */
	readonly title: string;
}

const TOTAL = 100;

/** A service for one cell alone. */
export class CellState {
	/** What was carried out: the items' amounts (refund), titles (create, update) or link IDs (delete). */
	readonly effects: string[] = [];
	/** Every write that arrived, in order. */
	readonly writes: string[] = [];
	/** Requests that arrived after the end. */
	readonly tooLate: string[] = [];
	readonly items: WriteItem[];
	/** What tells the request that is hit. */
	readonly hit: string;
	private pending: Array<{ at: number; carryOut: () => void }> = [];
	private hits = 0;
	private isOver = false;

	/** @param now virtual time, in milliseconds */
	constructor(
		readonly cell: Cell,
		private readonly now: () => number,
	) {
		const count = { three: 3, pair: 2 }[cell.input];
		this.items = Array.from({ length: count }, (_, item) => ({
			target: uuid(cell.input === 'pair' ? 1 : item + 1),
			amount: `${item + 5}.00`,
			title: `item ${item}`,
		}));
		const struck = this.items[cell.input === 'three' ? 1 : 0];
		this.hit = this.effectOf(struck ?? { target: '', amount: '', title: '' });
	}

	/** What a carried out item leaves in `effects`. */
	effectOf({ target, amount, title }: WriteItem): string {
		const { operation } = this.cell;
		return operation === 'refund' ? `${target} ${amount}` : operation === 'delete' ? target : title;
	}

	/** Carries out what is still to come. */
	finish(): void {
		this.carryOutUntil(Infinity);
	}

	/** The run has ended: whatever arrives from now on is too late. */
	end(): void {
		this.isOver = true;
	}

	answer({ method, path, body }: RecordedRequest): Answer {
		if (this.isOver) this.tooLate.push(`${method} ${path} sent after the end`);
		this.carryOutUntil(this.now());
		const target = method === 'GET' ? '' : (path.split('/')[3] ?? '');
		const isRead = method === 'GET';
		if (isRead && path.startsWith('/v1/links/')) return this.link(path.split('/')[3] ?? '');
		if (isRead) return json(envelope(...this.charges()));
		const { amount = '', title = '' } = (body ?? {}) as Record<string, string>;
		const effect = this.effectOf({ target, amount, title });
		this.writes.push(effect);
		const gone = this.cell.operation === 'delete' && this.effects.includes(target);
		if (gone) return failure(404, 'no such link');
		const isHit = effect === this.hit && (this.hits === 0 || !this.cell.isRetried);
		if (!isHit) {
			this.effects.push(effect);
			return this.success(target, title);
		}
		this.hits += 1;
		const { moment, answer } = this.cell;
		const carryOut = (): void => {
			const isGone = this.cell.operation === 'delete' && this.effects.includes(effect);
			if (!isGone) this.effects.push(effect);
		};
		if (moment === 'before') carryOut();
		else if (moment !== 'never') this.pending.push({ at: this.now() + DELAYS[moment], carryOut });
		return this.struckAnswer(answer, target, title);
	}

	private struckAnswer(answer: AnswerKind, target: string, title: string): Answer {
		if (answer.kind === 'hang') return hang();
		if (answer.kind !== 'status') return reset();
		const { status, body } = answer;
		if (status === 204 || body === 'none') return empty(status);
		if (body === 'html') return html('<h1>Gateway</h1>', status);
		if (body === 'failed')
			return json({ status: 'failed', message: 'The service says so' }, status);
		// A link that was deleted is shown as it was.
		if (this.cell.operation === 'delete' && status < 300) return json({ id: target }, status);
		const isAccepted = status === 202 && this.cell.operation === 'refund';
		if (isAccepted) return json({ message: 'Refund is being processed' }, status);
		return status < 300
			? { ...this.success(target, title), status }
			: failure(status, 'The service says so', 'code');
	}

	private success(target: string, title: string): Answer & { kind: 'reply' } {
		const record = {
			refund: { message: 'Refunded' },
			create: { id: uuid(Number(title.slice(-1))), title },
			update: { id: target, title },
			delete: { deleted: true },
		}[this.cell.operation];
		return json(record) as Answer & { kind: 'reply' };
	}

	private link(id: string): Answer {
		return this.effects.includes(id) ? failure(404, 'no such link') : json({ id });
	}

	/** The charges as the list shows them; the node picks its own. */
	private charges(): IDataObject[] {
		const targets = [...new Set(this.items.map(({ target }) => target))];
		return targets.map((id) => {
			const amounts = this.effects
				.filter((effect) => effect.startsWith(id))
				.map((effect) => effect.split(' ')[1] ?? '');
			const sum = amounts.reduce((all, amount) => all + Number(amount), 0);
			const refunds = amounts.map((amount) => ({ created: '2025-01-15T12:00:00Z', amount }));
			return {
				id,
				currency: 'USD',
				total: TOTAL.toFixed(2),
				refund_total: sum.toFixed(2),
				refunds,
			};
		});
	}

	private carryOutUntil(ms: number): void {
		for (const { carryOut } of this.pending.filter(({ at }) => at <= ms)) carryOut();
		this.pending = this.pending.filter(({ at }) => at > ms);
	}
}
