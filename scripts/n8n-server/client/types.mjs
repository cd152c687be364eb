/**
 * What n8n answers, as far as it is used here: n8n documents none of it.
 */

/**
 * @typedef {object} Owner
 * @property {string} email
 * @property {string} password
 * @property {string} firstName
 * @property {string} lastName
 *
 * @typedef {{ cookies: [string, string][], browserId: string }} Session
 *
 * @typedef {{ id: string, name: string, type: string }} CredentialReference
 *
 * @typedef {{ name: string, type: string, data: Record<string, unknown> }} CredentialContent
 *
 * @typedef {object} WorkflowNode
 * @property {string} [id] n8n makes one up without it
 * @property {number} [typeVersion]
 * @property {number[]} [position]
 * @property {string} [onError]
 * @property {string} [webhookId]
 * @property {string} name
 * @property {string} type
 * @property {Record<string, unknown>} parameters
 * @property {Record<string, Pick<CredentialReference, 'id' | 'name'>>} [credentials]
 *
 * @typedef {object} Workflow
 * @property {string} [id]
 * @property {string} name
 * @property {WorkflowNode[]} nodes
 * @property {Record<string, unknown>} connections
 * @property {object} [settings]
 *
 * @typedef {Workflow & { id: string, active: boolean, versionId: string, staticData: unknown }} SavedWorkflow
 *
 * @typedef {object} Item
 * @property {Record<string, unknown>} json
 * @property {Record<string, import('n8n-workflow').IBinaryData>} [binary]
 *
 * @typedef {object} Start
 * @property {string} trigger name of the trigger node to start from
 * @property {Item} [item] what it gives, for one that gives nothing by itself
 * @property {{ name: string, input: Record<string, unknown> }} [tool] to run alone, by 'Execute step'
 *
 * @typedef {object} DataTable
 * @property {string} id
 * @property {string} name
 * @property {string} projectId
 *
 * @typedef {object} DataTableColumn
 * @property {string} name
 * @property {'string' | 'number' | 'boolean' | 'date'} type
 *
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status such as "success" or "error"
 * @property {string} mode such as "manual" or "trigger"
 * @property {string} startedAt
 * @property {string} stoppedAt
 * @property {{ resultData: { runData: Record<string, { executionTime: number, data?: { main: (Item[] | null)[] }, error?: { message: string, description?: string }, hints?: { message: string }[] }[]>, error?: { name: string, message: string, description?: string } } }} data
 */

export {};
