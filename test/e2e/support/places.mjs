import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { byType } from '../../../scripts/n8n-server/demo.mjs';
import { chatMessage } from './examples/exampleCopy.mjs';
import { idLocator, createWorkflowOfOne, into, node, NODE_TYPE } from './workflows.mjs';

/**
 * @import { N8nClient } from '../../../scripts/n8n-server/client/index.mjs'
 * @import { CredentialReference } from '../../../scripts/n8n-server/client/types.mjs'
 *
 * @typedef {Awaited<ReturnType<typeof import('./examples/scriptedModel.mjs').startScriptedModel>>} Model
 *
 * @typedef {Record<string, Record<string, unknown>>} Tools parameters of the action node, by the tool's name
 *
 * @typedef {object} Scene
 * @property {N8nClient} n8n
 * @property {CredentialReference} credential for the service
 * @property {Model} model the agent's
 * @property {Model} subModel that of an agent below it
 * @property {Tools} tools
 *
 * @typedef {(scene: Scene) => Promise<Call>} Start
 *
 * @typedef {(tool: string, input: Record<string, unknown>) => Promise<string>} Call one call of a tool, and the text that
 *   the model, or the client, reads of it
 */

const TOOL_TYPE = `${NODE_TYPE}Tool`;
export const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const CHAT = 'Chat';
const AGENT = 'Agent';
const MODEL = 'Model';
const SUB_AGENT = 'Assistant';
const SUB_MODEL = 'Model of the assistant';

/**
 * A workflow for n8n's Call n8n Workflow Tool.
 *
 * @param {N8nClient} n8n
 * @param {CredentialReference} credential
 * @param {Record<string, unknown>} parameters of its one node
 */
export async function createSubWorkflow(n8n, credential, parameters) {
	const type = 'n8n-nodes-base.executeWorkflowTrigger';
	const start = node('Start', type, 1.1, { inputSource: 'passthrough' });
	const { id } = await createWorkflowOfOne(n8n, credential, parameters, start);
	await n8n.publish(id).catch((error) => {
		// n8n 1 publishes no workflow without a trigger, and runs it all the same.
		if (!`${error}`.includes('has no node to start the workflow')) throw error;
	});
	return id;
}

/** @param {Scene} scene @param {string} parent that calls the tools */
const toolNodes = ({ credential, tools }, parent) => ({
	nodes: Object.entries(tools).map(([name, parameters]) =>
		'workflowId' in parameters
			? node(name, `${LANGCHAIN}toolWorkflow`, 2.2, parameters)
			: node(name, TOOL_TYPE, 1, parameters, [credential]),
	),
	connections: Object.fromEntries(
		Object.keys(tools).map((name) => [name, into(parent, 'ai_tool')]),
	),
});

/** @param {string} name @param {CredentialReference} credential */
const modelNode = (name, credential) =>
	node(
		name,
		`${LANGCHAIN}lmChatOpenAi`,
		1.3,
		{ model: idLocator('scripted'), responsesApiEnabled: false },
		[credential],
	);

/**
 * AI Agent, with the tools, or with an AI Agent Tool that has them.
 *
 * @param {{ agent: number, subAgent?: number, isToolAlone?: boolean }} options `isToolAlone` for 'Execute step' on the tool
 * @returns {(scene: Scene) => Promise<Call>}
 */
export const aiAgent =
	({ agent, subAgent, isToolAlone = false }) =>
	async (scene) => {
		const { n8n, model, subModel } = scene;
		const tools = toolNodes(scene, subAgent === undefined ? AGENT : SUB_AGENT);
		const ownModel = modelNode(MODEL, model.credential);
		const below =
			subAgent === undefined
				? []
				: [
						node(SUB_AGENT, `${LANGCHAIN}agentTool`, subAgent, {
							toolDescription: 'Does it',
							text: "={{ $fromAI('request', '', 'string') }}",
						}),
						modelNode(SUB_MODEL, subModel.credential),
					];
		const { id } = await n8n.createWorkflow({
			name: `AI Agent ${agent}`,
			nodes: [
				node(CHAT, `${LANGCHAIN}chatTrigger`, 1.4),
				node(AGENT, `${LANGCHAIN}agent`, agent),
				ownModel,
				...below,
				...tools.nodes,
			],
			connections: {
				[CHAT]: into(AGENT),
				[MODEL]: into(AGENT, 'ai_languageModel'),
				...(subAgent !== undefined && {
					[SUB_MODEL]: into(SUB_AGENT, 'ai_languageModel'),
					[SUB_AGENT]: into(AGENT, 'ai_tool'),
				}),
				...tools.connections,
			},
			settings: { executionOrder: 'v1' },
		});
		return async (tool, input) => {
			const script = [[{ tool, input }], 'Done.'];
			if (subAgent === undefined) model.play(script);
			else {
				model.play([[{ tool: SUB_AGENT, input: { request: 'Do it.' } }], 'Done.']);
				subModel.play(script);
			}
			const item = chatMessage(randomUUID());
			if (isToolAlone) {
				const { data } = await n8n.run(id, { trigger: CHAT, item, tool: { name: tool, input } });
				return JSON.stringify(data.resultData.runData[tool]?.[0]?.data);
			}
			const execution = await n8n.run(id, { trigger: CHAT, item });
			const [answer] = (subAgent === undefined ? model : subModel).results();
			return answer ?? JSON.stringify(execution.data.resultData.error);
		};
	};

/** @param {Scene} scene @returns {Promise<Call>} */
export async function mcpServerTrigger(scene) {
	const { n8n } = scene;
	const SERVER = 'MCP Server Trigger';
	const path = randomUUID();
	const tools = toolNodes(scene, SERVER);
	const { id } = await n8n.createWorkflow({
		name: SERVER,
		nodes: [node(SERVER, `${LANGCHAIN}mcpTrigger`, 2, { path }), ...tools.nodes],
		connections: tools.connections,
		settings: {},
	});
	await n8n.publish(id);
	let session = '';
	let lastId = 0;
	/** @param {string} method @param {object} params */
	const ask = async (method, params) => {
		const response = await fetch(`${n8n.baseUrl}/mcp/${path}`, {
			method: 'POST',
			headers: {
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
		});
		session = response.headers.get('mcp-session-id') ?? session;
		const text = await response.text();
		const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
		return JSON.parse(data);
	};
	await ask('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	return async (tool, input) => {
		const { result, error } = await ask('tools/call', { name: tool, arguments: input });
		return result === undefined ? JSON.stringify(error) : result.content[0].text;
	};
}

/** n8n's own Agents, which call a node without a workflow. @param {Scene} scene @returns {Promise<Call>} */
export async function agentsModule({ n8n, credential, model, tools }) {
	const { id: project } = await n8n.request('GET', '/rest/projects/personal');
	const agents = `/rest/projects/${project}/agents/v2`;
	const { id } = await n8n.request('POST', agents, { name: 'Scripted' });
	const { configHash } = await n8n.request('GET', `${agents}/${id}/config`);
	await n8n.request('PUT', `${agents}/${id}/config`, {
		config: {
			name: 'Scripted',
			model: 'openai/scripted',
			credential: model.credential.id,
			instructions: 'Do it.',
			tools: Object.entries(tools).map(([name, nodeParameters]) => ({
				type: 'node',
				name,
				node: {
					nodeType: TOOL_TYPE,
					nodeTypeVersion: 1,
					nodeParameters,
					credentials: byType([credential]),
				},
			})),
		},
		baseConfigHash: configHash,
	});
	return async (tool, input) => {
		model.play([[{ tool, input }], 'Done.']);
		const response = await n8n.send('POST', `${agents}/${id}/chat`, { message: 'Please.' });
		const stream = await response.text();
		const [answer] = model.results().slice(-1);
		assert.ok(answer !== undefined, stream);
		return answer;
	};
}
