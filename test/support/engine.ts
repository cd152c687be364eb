import './environment';

import {
	ExecuteContext,
	LoadOptionsContext,
	RoutingNode,
	SupplyDataContext,
	WorkflowExecute,
} from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import {
	NodeConnectionTypes,
	UnexpectedError,
	Workflow,
	createEmptyRunExecutionData,
	createRunExecutionData,
	type ExecutionError,
	type ICredentialTestRequest,
	type ICredentialType,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type ITaskData,
	type NodeExecutionHint,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import {
	HarnessCredentialsHelper,
	HarnessNodeTypes,
	NoOp,
	allLogs,
	createAdditionalData,
	credentialTypeFor,
	latestVersion,
	nextId,
	prepareNodeType,
	withCredentialDefaults,
	type CredentialData,
	type LogEntry,
	type PreparedNodeType,
} from './runtime';

export { createPoller, type PollOutcome, type Poller, type PollerOptions } from './poller';
export { allLogs, type CredentialData, type LogEntry } from './runtime';

/** The names of the nodes around ours, for expressions such as `$('Input').item.json`. */
export const INPUT_NODE = 'Input';
export const TESTED_NODE = 'Tested Node';
const OUTPUT_NODE = 'Output';
const ERROR_NODE = 'Errors';
const LOOP_NODE = 'Loop';

// --- The node under test ---------------------------------------------------------------------

interface NodeUnderTest {
	nodeType: INodeType;
	/** Values, or n8n expressions such as `={{ $json.id }}`. Everything left out gets its default. */
	parameters?: INodeParameters;
	/** Decrypted data; leave it out for a node without credentials. */
	credentials?: CredentialData;
	/** Defaults to the credential type of the package. */
	credentialType?: ICredentialType;
}

interface Prepared {
	node: INode;
	prepared: PreparedNodeType;
	nodeTypes: HarnessNodeTypes;
	credentialsHelper: HarnessCredentialsHelper;
}

function prepare(
	options: NodeUnderTest,
	settings: Partial<INode>,
	...others: INodeType[]
): Prepared {
	const prepared = prepareNodeType(options.nodeType);
	const { description } = prepared.type;
	const type = credentialTypeFor(options);
	const node: INode = {
		id: 'tested-node',
		name: TESTED_NODE,
		type: description.name,
		typeVersion: latestVersion(description),
		position: [0, 0],
		parameters: structuredClone(options.parameters ?? {}),
		...(options.credentials === undefined
			? {}
			: { credentials: { [type.name]: { id: 'credential', name: 'Test account' } } }),
		...settings,
	};
	return {
		node,
		prepared,
		nodeTypes: new HarnessNodeTypes(prepared.type, ...others),
		credentialsHelper: new HarnessCredentialsHelper(type, options.credentials ?? {}),
	};
}

// --- Running in a workflow -------------------------------------------------------------------

export interface RunOptions extends NodeUnderTest {
	/** The JSON of each input item; one empty item by default. */
	items?: IDataObject[];
	onError?: OnError;
	/** n8n clamps maxTries to 2..5 and reads a wait of 0 as one second; the default here is 1 ms. */
	retryOnFail?: { maxTries: number; waitBetweenTries?: number };
	/** A new one for every call by default. */
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** Aborting it stops the execution as a click on "Stop" does. */
	signal?: AbortSignal;
	/** Shorthand for the parameter of that name that n8n adds to declarative nodes. */
	requestOptions?: INodeParameters;
	/** An expression that a following node evaluates for each output item: see `after`. */
	readAfter?: string;
	/**
	 * As an agent's tool that the workflow engine runs, custom operations included. n8n's other way
	 * to call a tool passes them by: see `runAsTool`.
	 */
	asAgentTool?: boolean;
	alwaysOutputData?: boolean;
	executeOnce?: boolean;
	/** IANA name, the workflow's setting; UTC by default. */
	timeZone?: string;
}

/** One run of the node (one run index), in all its tries. */
export interface NodeRun {
	/** The first output. */
	items: INodeExecutionData[];
	/** The second output, there with `onError: 'continueErrorOutput'` only. */
	errorItems: INodeExecutionData[];
	/** The JSON of the first output's items. */
	json: IDataObject[];
	error?: ExecutionError;
	hints: NodeExecutionHint[];
	taskData: ITaskData;
}

export interface RunResult extends NodeRun {
	/** All runs by run index; more than one in a loop only. */
	runs: NodeRun[];
	status: IRun['status'];
	executionId: string;
	/** How often the engine called the node, over all runs. */
	tries: number;
	/** The error objects as the node threw them, before the engine flattened them. */
	thrown: unknown[];
	/** What `readAfter` gave for each item that reached the following node. */
	after: unknown[];
	/** All that n8n would store about the execution. */
	run: IRun | undefined;
	/** All that was logged during the run, on any level. */
	logs: LogEntry[];
	/** How often the credential was decrypted. */
	decryptions: number;
}

/**
 * Runs the node once in a workflow: Input → node → Output (and Errors). Expressions are evaluated
 * by n8n's in-process engine: its isolated one does not load under jest, the end-to-end tests of a
 * real n8n have it.
 */
export async function runNode(options: RunOptions): Promise<RunResult> {
	return await execute(options, [options.items ?? [{}]]);
}

/** Runs the node once for every entry of `rounds`, in one execution: a loop with run index 0, 1, … */
export async function runNodeInLoop(
	options: Omit<RunOptions, 'items'> & { rounds: IDataObject[][] },
): Promise<RunResult> {
	return await execute(options, options.rounds);
}

async function execute(
	options: Omit<RunOptions, 'items'>,
	rounds: IDataObject[][],
): Promise<RunResult> {
	const firstLog = allLogs().length;
	const executionId = options.executionId ?? nextId();
	const parameters = { ...options.parameters };
	if (options.requestOptions !== undefined) parameters.requestOptions = options.requestOptions;
	const looped = rounds.length > 1;

	const collector = new Collector();
	const loop = new Loop(rounds);
	const { node, prepared, nodeTypes, credentialsHelper } = prepare(
		{ ...options, parameters },
		{
			onError: options.onError,
			...(options.asAgentTool === true ? { rewireOutputLogTo: NodeConnectionTypes.AiTool } : {}),
			alwaysOutputData: options.alwaysOutputData,
			executeOnce: options.executeOnce,
			...(options.retryOnFail === undefined
				? {}
				: {
						retryOnFail: true,
						maxTries: options.retryOnFail.maxTries,
						waitBetweenTries: options.retryOnFail.waitBetweenTries ?? 1,
					}),
		},
		collector,
		loop,
	);

	const input = internalNode(INPUT_NODE, new NoOp());
	const nodes = [
		input,
		node,
		internalNode(OUTPUT_NODE, collector, { value: options.readAfter ?? '' }),
		internalNode(ERROR_NODE, collector),
		...(looped ? [internalNode(LOOP_NODE, loop)] : []),
	];
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Harness',
		nodes,
		connections: looped ? loopConnections() : straightConnections(),
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone: options.timeZone ?? 'UTC' },
	});
	const mode = options.mode ?? 'trigger';
	const additionalData = createAdditionalData({ credentialsHelper, mode, executionId });
	const items = (rounds[0] ?? []).map((json) => ({ json }));
	const runExecutionData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: input, data: { main: [items] }, source: null }],
		},
	});

	const { run, refused } = await executeWorkflow(
		() =>
			new WorkflowExecute(additionalData, mode, runExecutionData).processRunExecutionData(workflow),
		options.signal,
	);
	const runs = (run?.data.resultData.runData[TESTED_NODE] ?? []).map(toNodeRun);
	const last = runs.at(-1);
	return {
		items: last?.items ?? [],
		errorItems: last?.errorItems ?? [],
		json: last?.json ?? [],
		error: run?.data.resultData.error ?? last?.error ?? refused,
		hints: last?.hints ?? [],
		taskData: last?.taskData ?? EMPTY_TASK,
		runs,
		status: run?.status ?? 'error',
		executionId,
		tries: prepared.calls.length,
		thrown: prepared.calls.flatMap(({ thrown }) => (thrown === undefined ? [] : [thrown])),
		after: collector.values,
		run,
		logs: allLogs().slice(firstLog),
		decryptions: credentialsHelper.decryptions,
	};
}

const EMPTY_TASK: ITaskData = {
	startTime: 0,
	executionIndex: 0,
	executionTime: 0,
	source: [],
	hints: [],
};

function toNodeRun(taskData: ITaskData): NodeRun {
	const data = taskData.data?.main ?? taskData.data?.[NodeConnectionTypes.AiTool];
	const [items, errorItems] = data ?? [];
	return {
		items: items ?? [],
		errorItems: errorItems ?? [],
		json: (items ?? []).map(({ json }) => json),
		error: taskData.error,
		hints: taskData.hints ?? [],
		taskData,
	};
}

type Execution = ReturnType<WorkflowExecute['processRunExecutionData']>;

/** A workflow with missing parameters is refused before it starts; n8n shows that as its error. */
async function executeWorkflow(
	start: () => Execution,
	signal: AbortSignal | undefined,
): Promise<{ run?: IRun; refused?: ExecutionError }> {
	let execution: Execution;
	try {
		execution = start();
	} catch (error) {
		return { refused: error as ExecutionError };
	}
	const cancel = (): void => execution.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel, { once: true });
	try {
		return { run: await execution };
	} finally {
		signal?.removeEventListener('abort', cancel);
	}
}

function internalNode(name: string, type: INodeType, parameters: INodeParameters = {}): INode {
	return {
		id: name,
		name,
		type: type.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
}

function to(...names: string[]): Array<{ node: string; type: 'main'; index: number }> {
	return names.map((node) => ({ node, type: 'main', index: 0 }));
}

function straightConnections(): IConnections {
	return {
		[INPUT_NODE]: { main: [to(TESTED_NODE)] },
		[TESTED_NODE]: { main: [to(OUTPUT_NODE), to(ERROR_NODE)] },
	};
}

function loopConnections(): IConnections {
	return {
		[INPUT_NODE]: { main: [to(LOOP_NODE)] },
		[LOOP_NODE]: { main: [to(OUTPUT_NODE), to(TESTED_NODE)] },
		[TESTED_NODE]: { main: [to(LOOP_NODE), to(LOOP_NODE)] },
	};
}

/** Ends a branch and evaluates its `value` parameter for each item that arrives. */
class Collector implements INodeType {
	description: INodeTypeDescription = {
		...new NoOp().description,
		name: 'harness.collector',
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	};

	readonly values: unknown[] = [];

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const { type } = this.getNode();
		const collector = (this as ExecuteContext).workflow.nodeTypes.getByName(type) as Collector;
		if (this.getNodeParameter('value', 0, '', { rawExpressions: true }) !== '') {
			items.forEach((_item, index) => {
				try {
					collector.values.push(this.getNodeParameter('value', index));
				} catch (error) {
					collector.values.push(error);
				}
			});
		}
		return [items];
	}
}

/** Like n8n's Loop Over Items: output 1 feeds the next round, output 0 is taken when none is left. */
class Loop implements INodeType {
	description: INodeTypeDescription = {
		...new NoOp().description,
		name: 'harness.loop',
		outputs: ['main', 'main'],
	};

	constructor(readonly rounds: IDataObject[][]) {}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const state = this.getContext('node');
		const index = typeof state.round === 'number' ? state.round : 0;
		state.round = index + 1;
		const { type } = this.getNode();
		const { rounds } = (this as ExecuteContext).workflow.nodeTypes.getByName(type) as Loop;
		const round = rounds[index];
		if (round === undefined) return [this.getInputData(), []];
		return [[], round.map((json, item) => ({ json, pairedItem: { item } }))];
	}
}

// --- Without a workflow ----------------------------------------------------------------------

function detached(options: NodeUnderTest & { executionId?: string }) {
	const { node, prepared, nodeTypes, credentialsHelper } = prepare(options, {});
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	return { node, prepared, workflow, credentialsHelper };
}

/** The node's `execute` in an ExecuteContext: routing only, custom operations are passed by. */
export async function runRouting(
	options: NodeUnderTest & { items?: IDataObject[]; executionId?: string; signal?: AbortSignal },
): Promise<INodeExecutionData[][]> {
	const { node, prepared, workflow, credentialsHelper } = detached(options);
	const inputData = {
		main: [(options.items ?? [{}]).map((json, item) => ({ json, pairedItem: { item } }))],
	};
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({
			credentialsHelper,
			mode: 'trigger',
			executionId: options.executionId ?? nextId(),
		}),
		'trigger',
		createRunExecutionData(),
		0,
		inputData.main[0] ?? [],
		inputData,
		{ node, data: inputData, source: null },
		[],
		options.signal,
	);
	return (await new RoutingNode(context, prepared.type).runNode()) ?? [];
}

export interface ToolResult {
	answer?: string;
	error?: unknown;
	tries: number;
	thrown: unknown[];
}

type ToolOptions = NodeUnderTest & {
	executionId?: string;
	retryOnFail?: { maxTries: number; waitBetweenTries?: number };
	signal?: AbortSignal;
};

/**
 * The node as an agent's tool, called by n8n's own tool wrapper. `answer` is what the model reads;
 * after the last try the wrapper throws instead, and the agent decides what the model gets to see.
 * `toolArguments` is the one input item's JSON, so `={{ $json.x }}` stands for a `$fromAI` value.
 */
export async function runAsTool(
	options: ToolOptions & { toolArguments?: IDataObject },
): Promise<ToolResult> {
	const { toolArguments = {} } = options;
	const { invoke, prepared } = toolOf(options, [{ json: toolArguments }]);
	const outcome = await outcomeOf(invoke(toolArguments));
	return {
		...outcome,
		tries: prepared.calls.length,
		thrown: prepared.calls.flatMap(({ thrown }) => (thrown === undefined ? [] : [thrown])),
	};
}

/**
 * Several calls of one tool by one agent in one execution, all at once as models may make them. Their arguments
 * reach the parameters by `$fromAI`.
 */
export async function runToolCalls(
	options: ToolOptions & { calls: IDataObject[] },
): Promise<Array<Pick<ToolResult, 'answer' | 'error'>>> {
	const { invoke } = toolOf(options, [{ json: {} }]);
	return await Promise.all(options.calls.map(async (call) => await outcomeOf(invoke(call))));
}

async function outcomeOf(answer: Promise<string>): Promise<Pick<ToolResult, 'answer' | 'error'>> {
	return await answer.then(
		(text) => ({ answer: text }),
		(error: unknown) => ({ error }),
	);
}

/** @param agentInput the items that the agent itself works on */
function toolOf(options: ToolOptions, agentInput: INodeExecutionData[]) {
	const { node, prepared, workflow, credentialsHelper } = detached(options);
	if (options.retryOnFail !== undefined) {
		node.retryOnFail = true;
		node.maxTries = options.retryOnFail.maxTries;
		node.waitBetweenTries = options.retryOnFail.waitBetweenTries ?? 1;
	}
	const additionalData = createAdditionalData({
		credentialsHelper,
		mode: 'trigger',
		executionId: options.executionId ?? nextId(),
	});
	const runExecutionData = createRunExecutionData();
	const executeData = { node, data: { main: [agentInput] }, source: null };
	const invoke = makeHandleToolInvocation(
		(runIndex) =>
			new SupplyDataContext(
				workflow,
				node,
				additionalData,
				'trigger',
				runExecutionData,
				runIndex,
				agentInput,
				// The wrapper itself puts the model's arguments here.
				{},
				NodeConnectionTypes.AiTool,
				executeData,
				[],
				options.signal,
				node,
			),
		node,
		prepared.type,
		runExecutionData,
	);
	return { invoke, prepared };
}

export interface ListSearchOptions extends NodeUnderTest {
	method: string;
	filter?: string;
	paginationToken?: string;
	/** The path of the parameter that asks, as the editor sends it. */
	path?: string;
}

/** What the editor's resource locator gets for a search. */
export async function runListSearch(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const method = options.nodeType.methods?.listSearch?.[options.method];
	if (method === undefined) throw new UnexpectedError(`No list search "${options.method}"`);
	const { node, workflow, credentialsHelper } = detached(options);
	const context = new LoadOptionsContext(
		workflow,
		node,
		createAdditionalData({
			credentialsHelper,
			mode: 'internal',
			nodeParameters: options.parameters ?? {},
		}),
		options.path ?? 'parameters',
	);
	return await method.call(context, options.filter, options.paginationToken);
}

// --- Credential test -------------------------------------------------------------------------

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** n8n's "Test" button: the request of the credential type on a stand-in node, then its rules. */
export async function runCredentialTest(options: {
	credentials: CredentialData;
	credentialType?: ICredentialType;
}): Promise<CredentialTestResult> {
	const type = credentialTypeFor(options);
	const { test } = type;
	if (test === undefined) {
		return { status: 'Error', message: 'No testing function found for this credential.' };
	}
	const data = withCredentialDefaults(type, options.credentials);
	const { description } = new NoOp();
	const nodeType: INodeType = {
		description: {
			...description,
			credentials: [{ name: type.name, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	};
	const node: INode = {
		...internalNode('Temp-Node', nodeType),
		credentials: { [type.name]: { id: 'credential', name: 'Test account' } },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: new HarnessNodeTypes(nodeType),
	});
	const context = new ExecuteContext(
		workflow,
		node,
		createAdditionalData({
			credentialsHelper: new HarnessCredentialsHelper(type, data),
			mode: 'internal',
			nodeParameters: node.parameters,
		}),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const credentials = { id: 'credential', name: 'Test account', type: type.name, data };
	try {
		const output = await new RoutingNode(context, nodeType, credentials).runNode();
		return bodyVerdict(test, output?.[0]?.[0]?.json);
	} catch (error) {
		return failureVerdict(test, error);
	}
}

function bodyVerdict(test: ICredentialTestRequest, body: unknown): CredentialTestResult {
	for (const rule of test.rules ?? []) {
		if (rule.type !== 'responseSuccessBody') continue;
		const { key, message } = rule.properties;
		const unwanted: unknown = rule.properties.value;
		if (valueAt(body, key) === unwanted) return { status: 'Error', message };
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** Only the status decides: the text of a rule, else the status line, else the network code. */
function failureVerdict(test: ICredentialTestRequest, error: unknown): CredentialTestResult {
	const { cause, message } = error as Error & {
		cause?: { code?: string; response?: { status: number; statusText?: string } };
	};
	const response = cause?.response;
	if (response !== undefined) {
		for (const rule of test.rules ?? []) {
			if (rule.type === 'responseCode' && rule.properties.value === response.status) {
				return { status: 'Error', message: rule.properties.message };
			}
		}
		if (response.status < 199 || response.status > 299) {
			const text = response.statusText || `Received HTTP status code: ${response.status}`;
			return { status: 'Error', message: text };
		}
	} else if (cause?.code !== undefined) {
		return { status: 'Error', message: cause.code };
	}
	return { status: 'Error', message };
}

function valueAt(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(inner, key) =>
				typeof inner === 'object' && inner !== null
					? (inner as Record<string, unknown>)[key]
					: undefined,
			value,
		);
}
