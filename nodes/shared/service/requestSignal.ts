import { CancelledError, onAbort } from '../errors/cancellation';
import { callAfter } from './alarm';

/** What ends requests: `cancel` those under way too, `stop` those that have not left yet. */
export interface Stops {
	readonly cancel: AbortSignal | undefined;
	readonly stop: AbortSignal | undefined;
}

/**
 * What n8n's HTTP client is told about one request: not to send it any more, or to give it up.
 *
 * The client looks whether it is aborted right before it sends a request, and begins to listen in the same moment: from
 * then on the request counts as sent. Its own timeout begins anew with every byte that comes, so the time for the whole
 * answer is taken here.
 */
export class RequestSignal {
	private readonly controller = new AbortController();

	/** A real signal, but for what the client asks of it. */
	readonly signal = this.controller.signal;

	private readonly stopWaiting: () => void;

	private readonly stopListening: (() => void) | undefined;

	/** Whether the client has begun to listen. */
	private isSent = false;

	private wasRefused = false;

	private isOver = false;

	private isLate = false;

	constructor(
		private readonly stops: Stops,
		timeoutMs: number,
	) {
		const listen = this.signal.addEventListener.bind(this.signal);
		Object.defineProperties(this.signal, {
			aborted: { get: () => this.isOver || this.keepBack() },
			addEventListener: {
				value: (...what: Parameters<typeof listen>): void => {
					this.isSent = true;
					listen(...what);
				},
			},
		});
		this.stopWaiting = callAfter(timeoutMs, () => {
			this.isLate = !this.isOver;
			this.giveUp();
		});
		this.stopListening = stops.cancel && onAbort(stops.cancel, this.cancel);
	}

	/** Whether the client was told not to send it, when it asked: certainly nobody has got it. */
	get isKeptBack(): boolean {
		return this.wasRefused && !this.isSent;
	}

	private keepBack(): boolean {
		const { cancel, stop } = this.stops;
		this.wasRefused ||= !this.isSent && (cancel?.aborted === true || stop?.aborted === true);
		return this.isKeptBack;
	}

	/** Why the request has ended, for all that the client says of it. */
	reasonOf(error: unknown): unknown {
		if (this.isKeptBack) return new CancelledError();
		return this.isLate ? Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }) : error;
	}

	/** To be called when the request has ended, however it did. */
	end(): void {
		this.stopWaiting();
		this.stopListening?.();
	}

	/** One that has not left stays here without. */
	private readonly cancel = (): void => {
		if (this.isSent) this.giveUp();
	};

	private readonly giveUp = (): void => {
		this.isOver = true;
		this.controller.abort();
	};
}
