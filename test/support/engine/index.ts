/** The package's nodes in n8n's own engine, without a server around it. */

export { runCredentialTest } from './credentialTest';
export type { CredentialData } from './credentials';
export { runListSearch } from './listSearch';
export { allLogs } from './logs';
export { createPoller, type Poller, type PollerOptions } from './poller';
export {
	runAsTool,
	runInAgents,
	runRouting,
	runToolCalls,
	toldByEngine,
	type ToolResult,
} from './tools';
export { runNode, type RunOptions, type RunResult } from './workflow/workflow';
