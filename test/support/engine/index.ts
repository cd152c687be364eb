/** The package's nodes in n8n's own engine, without a server around it. */

export { runCredentialTest } from './credentialTest';
export type { CredentialData } from './credentials';
export { runListSearch } from './listSearch';
export { allLogs, type LogEntry } from './logs';
export { createPoller, type PollOutcome, type Poller, type PollerOptions } from './poller';
export { runAsTool, runRouting, runToolCalls, type ToolResult } from './tools';
export { runNode, runNodeInLoop, type RunOptions, type RunResult } from './workflow';
export { INPUT_NODE, TESTED_NODE } from './workflowNodes';
