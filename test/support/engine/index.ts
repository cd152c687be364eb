/** The package's nodes in n8n's own engine, without a server around it. */

export type { CredentialData } from './credentials';
export { runCredentialTest, runListSearch } from './editor';
export { allLogs } from './logs';
export { createPoller, type Poller, type PollerOptions } from './poller';
export { TOOL_EXECUTOR_TYPE, runAsTool, runInAgents, runRouting, reportedByEngine } from './tools';
export { runNode, type RunOptions, type RunResult } from './workflow/workflow';
