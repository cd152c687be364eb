import type { FaultRules } from './faults';
import type { RequestLog } from './requestLog';
import type { Store } from './store';
import type { Switches } from './switches';

/** What every route of one running sandbox shares. Store and switches are replaced by a reset or a patch: read them anew. */
export interface SandboxContext {
	readonly apiKey: string;
	readonly faults: FaultRules;
	readonly log: RequestLog;
	store: Store;
	switches: Switches;
}
