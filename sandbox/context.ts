import type { FaultRules } from './behaviour/faults';
import type { RequestLog } from './behaviour/requestLog';
import type { Store } from './store/store';
import type { Switches } from './behaviour/switches';

/** What the routes of one running sandbox share. Store and switches get replaced: read them on each request. */
export interface SandboxContext {
	readonly apiKey: string;
	readonly faults: FaultRules;
	readonly log: RequestLog;
	store: Store;
	switches: Switches;
	/** Puts everything back to the start, with another seed if one is given. */
	restart(seed?: number): void;
}
