export {
	DEFAULT_COUNTS,
	DEMO_API_KEY,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from './server';
export type { Counts } from './data/world';
export { ServiceError } from './behaviour/errors';
export type { FaultAction, FaultRule } from './behaviour/faults';
export type { RequestEntry } from './behaviour/requestLog';
export { type Switches } from './behaviour/switches';
