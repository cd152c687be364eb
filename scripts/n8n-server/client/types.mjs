/**
 * n8n's answers, as far as they are used here: n8n documents none of them.
 *
 * @import { INodeExecutionData, IRunExecutionData } from 'n8n-workflow'
 *
 * @typedef {{ email: string, password: string, firstName: string, lastName: string }} Owner
 *
 * @typedef {{ id: string, name: string, type: string }} CredentialReference
 *
 * @typedef {{ name: string, type: string, data: Record<string, unknown> }} CredentialContent
 *
 * @typedef {object} WorkflowNode
 * @property {number} [typeVersion]
 * @property {number[]} [position]
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
 * @typedef {object} Start
 * @property {string} trigger name of the trigger node to start from
 * @property {INodeExecutionData} [item] what it gives, for one that gives nothing by itself
 * @property {{ name: string, input: Record<string, unknown> }} [tool] to run alone, by 'Execute step'
 *
 * @typedef {{ name: string, columns: { name: string, type: 'string' | 'number' | 'boolean' | 'date' }[] }} DataTableDraft
 *
 * @typedef {{ id: string, name: string, projectId: string }} DataTable
 *
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status such as "success" or "error"
 * @property {string} mode such as "manual" or "trigger"
 * @property {string} startedAt
 * @property {string} stoppedAt
 * @property {IRunExecutionData} data
 */

export {};
