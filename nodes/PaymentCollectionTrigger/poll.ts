import { ChargeList } from './chargeList';
import type { FetchPage } from './chargeList';
import { KNOWN_STRETCH_SECONDS } from './cursor';
import type { Cursor } from './cursor';
import { createdEvent, inOrder } from './events';
import type { ChargeEvent } from './events';
import { KeySet } from './keySet';
import { policyAt } from './policy';
import { readCharges } from './readCharges';
import { selectNew } from './selectNew';
import type { Settings } from './settings';
import { firstCursor, underFilters } from './startFrom';
import type { Identity } from './startFrom';

export interface PollInput extends Identity {
	/** What the last poll left behind, of this account. */
	readonly cursor: Cursor | undefined;
	readonly settings: Settings;
	readonly fetchPage: FetchPage;
	/** The host's clock: it may be wrong. */
	readonly nowMs: number;
	/** Whether there is time for another request. */
	readonly hasTime: () => boolean;
}

export interface PollResult {
	/** Oldest first. */
	readonly events: readonly ChargeEvent[];
	/** To be stored once nothing can fail any more. */
	readonly cursor: Cursor;
}

/** One poll: reads, then decides. It changes nothing; where a request fails, there is no new cursor. */
export async function pollCharges(input: PollInput): Promise<PollResult> {
	const { settings, account, filters } = input;
	const policy = policyAt(input.nowMs, settings);
	const identity = { account, filters };
	const cursor = underFilters(input.cursor ?? firstCursor(identity, settings.startFrom), filters);
	const known = new KeySet(cursor.known, KNOWN_STRETCH_SECONDS);
	const list = new ChargeList(input.fetchPage, input.hasTime);
	const reading = await readCharges(list, cursor, known, policy);
	const { fresh, cursor: next } = selectNew(reading, cursor, known, policy);
	const events = settings.events.has('charge.created') ? fresh.map(createdEvent) : [];
	return { events: inOrder(events), cursor: next };
}
