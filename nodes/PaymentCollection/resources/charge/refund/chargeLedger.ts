import { throwIfCancelled } from '../../../../shared/errors/cancellation';
import { clock } from '../../../../shared/clock';
import type { Failure } from '../../../../shared/errors/failures';
import { NOTHING, addAmounts, compareAmounts, type Amount } from '../../../../shared/money';
import { Queues } from '../../../writes/queues';
import type { AttemptKey } from '../../../writes/attemptLedger';
import type { ChargeBalance, KnownRefunds } from './balance';

/** How long a refund whose outcome is unknown keeps others of its charge back, unless a look shows it earlier. */
export const MAX_HOLD_MS = 10 * 60_000;
/** How long a confirmed refund counts though the service's list does not show it. */
export const MAX_LIST_LAG_MS = 10 * 60_000;
export const MAX_CHARGES = 10_000;

/** A refund that was sent and did not come back with a proper confirmation. */
export interface OpenRefund {
	readonly attempt: AttemptKey;
	/** The charge just before the refund was sent. */
	readonly before: ChargeBalance;
	readonly amount: Amount;
	/** By the clock's elapsed milliseconds. */
	readonly sentAt: number;
	/** What came instead of a proper answer; missing when something came that was no proper answer. */
	readonly failure?: Failure;
	/** Whether it was for an Idempotency Key. */
	readonly hasKey: boolean;
	/** The service refused it and its charge showed it all the same: no later look can tell which of the two is wrong. */
	readonly isContradicted?: boolean;
}

/** What this process knows of one charge. */
export interface ChargeLedger extends KnownRefunds {
	/** When the last refund was that is known to have been carried out, by the clock's elapsed milliseconds. */
	refundedAt: number;
	/** The refund of which it is unknown whether it was, or will be, carried out. */
	open?: OpenRefund;
	/**
	 * Refunds that were told to be UNKNOWN and have turned up since, in somebody else's look: whoever asks for as much once
	 * more may mean one of them.
	 */
	turnedUp: OpenRefund[];
}

interface Entry {
	readonly ledger: ChargeLedger;
	/** Tasks in the charge's queue, the one that runs included. */
	waiting: number;
	usedAt: number;
}

/** Which charge: the same ID at another address may be another charge, as in a copy of the service to test with. */
export interface ChargePlace {
	/** The credential's address, without a trailing slash or `/v1`. */
	readonly baseUrl: string;
	readonly chargeId: string;
}

/**
 * By address and charge, for the whole process: executions that run at once refund it one after another. Not by the API
 * key, which may be replaced, and of which an account may have several. Assumed: two addresses are two services. Of one
 * service with two addresses, each is its own here, and a refund by one knows nothing of those by the other.
 */
const entries = new Map<string, Entry>();

const queues = new Queues<string>();

/**
 * Runs a task while no other one of the same charge is run, in the order of the calls, whatever execution they are of.
 *
 * @throws {CancelledError} when the execution is stopped while it waits
 */
export async function inTurn<T>(
	{ baseUrl, chargeId }: ChargePlace,
	signal: AbortSignal | undefined,
	task: (ledger: ChargeLedger) => Promise<T>,
): Promise<T> {
	const key = `${baseUrl} ${chargeId.toLowerCase()}`;
	const entry = entries.get(key) ?? {
		ledger: { refundTotal: NOTHING, refundedAt: 0, refundedHere: NOTHING, turnedUp: [] },
		waiting: 0,
		usedAt: clock.elapsed(),
	};
	entries.delete(key);
	entries.set(key, entry);
	// First, so that it counts as in use: forgotten now, the charge would have two ledgers.
	entry.waiting += 1;
	forgetOld();
	try {
		return await queues.inTurn(key, async () => {
			throwIfCancelled(signal);
			dropExpired(entry.ledger);
			return await task(entry.ledger);
		});
	} finally {
		entry.waiting -= 1;
		entry.usedAt = clock.elapsed();
	}
}

/** Charges of which this process keeps anything. */
export const chargesKept = (): number => entries.size;

/** As when the process starts. */
export const forgetAll = (): void => entries.clear();

/** How long an unknown refund still holds its charge, in milliseconds. Not by the host's clock: set forward, it would let go. */
const heldForMs = ({ sentAt }: OpenRefund): number => sentAt + MAX_HOLD_MS - clock.elapsed();

/** When it stops holding it, in milliseconds since the epoch. */
export const heldUntil = (refund: OpenRefund): number => clock.now() + heldForMs(refund);

const isHeld = (refund: OpenRefund): boolean => heldForMs(refund) > 0;

function dropExpired(ledger: ChargeLedger): void {
	if (ledger.open !== undefined && !isHeld(ledger.open)) delete ledger.open;
	ledger.turnedUp = ledger.turnedUp.filter(isHeld);
	if (clock.elapsed() - ledger.refundedAt > MAX_LIST_LAG_MS) ledger.refundTotal = NOTHING;
}

/** A refund is known to have been carried out. */
export function noteRefund(ledger: ChargeLedger, amount: Amount, after: ChargeBalance): void {
	ledger.refundedHere = addAmounts(ledger.refundedHere, amount);
	ledger.refundedAt = clock.elapsed();
	if (compareAmounts(after.refunded, ledger.refundTotal) > 0) ledger.refundTotal = after.refunded;
}

/** It is known what became of an attempt's refund; another one may be open still. */
export function closeOpen(ledger: ChargeLedger, { key }: AttemptKey): void {
	if (ledger.open?.attempt.key === key) delete ledger.open;
}

/** The least recently used first; never one that is in use or holds an unknown refund. */
function forgetOld(): void {
	for (const [key, { ledger, waiting, usedAt }] of entries) {
		const isOld = clock.elapsed() - usedAt > Math.max(MAX_HOLD_MS, MAX_LIST_LAG_MS);
		if (entries.size <= MAX_CHARGES && !isOld) return;
		const holds = [...ledger.turnedUp, ...(ledger.open === undefined ? [] : [ledger.open])];
		if (waiting === 0 && !holds.some(isHeld)) entries.delete(key);
	}
}
