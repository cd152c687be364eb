export {
	DEFAULT_COUNTS,
	DEFAULT_SEED,
	DEMO_API_KEY,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from './server';
export type { Counts } from './data/world';
export { ServiceError } from './errors';
export type { FaultAction, FaultRule } from './faults';
export type { RequestEntry } from './requestLog';
export type { ChargeDraft } from './store';
export { DEFAULT_SWITCHES, type SwitchPatch, type Switches } from './switches';
