import { clock, utcText } from '../../shared/clock';
import { MAX_KEYS } from './keyMemory';

/** What this process knows of a key that it saw used. */
export interface KeyUse {
	readonly executionId: string;
	readonly itemIndex: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** What was done, in words; undefined while it is under way. */
	readonly effect?: string;
	/** How it ended without an effect: nobody knows what came of it, or n8n's memory failed to give the key back. */
	readonly doubt?: 'unknown' | 'notGivenBack';
}

/** As many as n8n keeps for a node, in the order of use, so that the oldest come first. */
const uses = new Map<string, KeyUse>();

export function noteUse(key: string, use: Omit<KeyUse, 'at'>): void {
	uses.delete(key);
	uses.set(key, { ...use, at: clock.now() });
	for (const oldest of uses.keys()) {
		if (uses.size <= MAX_KEYS) break;
		uses.delete(oldest);
	}
}

export const forgetUse = (key: string): boolean => uses.delete(key);

/** How a key was used, in a sentence of what is known. */
export function knownUse(key: string): string {
	const use = uses.get(key);
	if (use === undefined) {
		return 'This n8n process does not know when: it may have been an earlier execution, before n8n was started again, or another process. What came of it is not known here either, so look in the payment collection service.';
	}
	const { executionId, itemIndex, at, effect, doubt } = use;
	const when = utcText(at);
	const who = `Item ${itemIndex + 1} of execution ${executionId} used it at ${when}`;
	if (effect !== undefined) return `${who}: ${effect}.`;
	if (doubt === 'unknown') {
		return `${who}, and what came of that is UNKNOWN: look in the payment collection service.`;
	}
	return doubt === 'notGivenBack'
		? `${who}, and nothing was carried out for it, but n8n’s database failed to free the key.`
		: `${who}, and was not through with it yet.`;
}
