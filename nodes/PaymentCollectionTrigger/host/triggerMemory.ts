import type { IDataObject } from 'n8n-workflow';
import type { Instant } from '../../shared/timestamps';
import { nodeKey, type NodeContext } from '../../shared/values';

/** Triggers of which the process remembers something, at most. */
const MAX_TRIGGERS = 1_000;

/** What the process remembers of a trigger, whatever n8n has stored. Which contexts have polled is in pollGuard.ts. */
export interface TriggerMemory {
	/** The poll under way: n8n may start the next one meanwhile, or another registration of the same trigger. */
	underWay?: { readonly expiresAt: number } | undefined;
	/** When the first poll of a registration failed and was forgiven: what comes in from then on is new to its ticks. */
	firstTried?: Instant | undefined;
	/**
	 * The state of the last poll: n8n does not save what a poll without items changed, forgets all when a node is
	 * renamed, and may keep polling by an older copy (docs/n8n-engine.md, Polling).
	 */
	last?: LastPoll | undefined;
}

interface LastPoll {
	readonly stored: IDataObject;
	/** Of the newest state that n8n is known to have saved; 0: none is known, -1: a tick of its scheduler found none. */
	readonly savedSerial: number;
	/** Of a tick with items, until the next poll shows whether n8n took them: if it did not, `before` counts. */
	readonly emission?: {
		readonly serial: number;
		readonly before: LastPoll | undefined;
		readonly endedAt: number;
		readonly isScheduled: boolean;
	};
}

const memories = new Map<string, TriggerMemory>();

/** To be changed in place. */
export function memoryOf(context: NodeContext): TriggerMemory {
	const key = nodeKey(context);
	const memory = memories.get(key) ?? {};
	// What is asked for last is dropped last.
	memories.delete(key);
	memories.set(key, memory);
	const [oldest] = memories.keys();
	if (memories.size > MAX_TRIGGERS && oldest !== undefined) memories.delete(oldest);
	return memory;
}
