import '../environment';

import { WorkflowExecute } from 'n8n-core';
import {
	NodeConnectionTypes,
	Workflow,
	createRunExecutionData,
	type ExecutionError,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type IRun,
	type NodeExecutionHint,
	type OnError,
} from 'n8n-workflow';

import { nextId, createAdditionalData } from '../additionalData';
import { type LogEntry, allLogs } from '../logs';
import { type NodeUnderTest, prepare, retrySettings, toolType } from '../nodeUnderTest';
import {
	Collector,
	internalNode,
	INPUT_NODE,
	NoOp,
	OUTPUT_NODE,
	ERROR_NODE,
	connections,
	TESTED_NODE,
} from './workflowNodes';

export interface RunOptions extends NodeUnderTest {
	/** The JSON of each input item; one empty item by default. */
	items?: IDataObject[];
	/** How often the workflow runs the node in one execution, as a loop does: with run index 0, 1, … */
	times?: number;
	onError?: OnError;
	/** n8n clamps maxTries to 2..5. */
	retryOnFail?: { maxTries: number };
	executionId?: string;
	/** Aborting it stops the execution as a click on "Stop" does. */
	signal?: AbortSignal;
	/** Shorthand for the parameter of that name that n8n adds to declarative nodes. */
	requestOptions?: INodeParameters;
	/** An expression that a following node evaluates for each output item: see `after`. */
	readAfter?: string;
	/**
	 * As an agent's tool that the workflow engine runs, custom operations included. n8n's other way
	 * to call a tool doesn't run them: see `runAsTool`.
	 */
	asAgentTool?: boolean;
	/** IANA name, the workflow's setting; UTC by default. */
	timeZone?: string;
}

export interface RunResult {
	/** The items of the last run index, after all its attempts. */
	items: INodeExecutionData[];
	/** The second output, there with `onError: 'continueErrorOutput'` only. */
	errorItems: INodeExecutionData[];
	json: IDataObject[];
	hints: NodeExecutionHint[];
	error?: ExecutionError;
	status: IRun['status'];
	executionId: string;
	/** How often the engine called the node, over all runs. */
	tries: number;
	/** The error objects as the node threw them, before the engine flattened them. */
	thrown: unknown[];
	/** Value of `readAfter` for each item that reached the following node. */
	after: unknown[];
	/** As n8n would store the execution. */
	run: IRun | undefined;
	logs: LogEntry[];
	decryptions: number;
}

/**
 * Runs the node in a workflow: Input → node → Output (and Errors). Expressions are evaluated
 * by n8n's in-process engine: its isolated one does not load under jest, the end-to-end tests of a
 * real n8n have it.
 */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const firstLog = allLogs().length;
	const executionId = options.executionId ?? nextId();
	const parameters = { ...options.parameters };
	if (options.requestOptions !== undefined) parameters['requestOptions'] = options.requestOptions;

	const collector = new Collector();
	const { node, prepared, nodeTypes, credentialsHelper } = prepare(
		{ ...options, parameters },
		{
			onError: options.onError,
			...(options.asAgentTool === true
				? { type: toolType(options), rewireOutputLogTo: NodeConnectionTypes.AiTool }
				: {}),
			...retrySettings(options.retryOnFail),
		},
		collector,
	);

	const input = internalNode(INPUT_NODE, new NoOp());
	const nodes = [
		input,
		node,
		internalNode(OUTPUT_NODE, collector, { value: options.readAfter ?? '' }),
		internalNode(ERROR_NODE, new NoOp()),
	];
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Harness',
		nodes,
		connections: connections(options.times ?? 1),
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone: options.timeZone ?? 'UTC' },
	});
	const mode = 'trigger';
	const additionalData = createAdditionalData({ credentialsHelper, mode, executionId });
	const items = (options.items ?? [{}]).map((json) => ({ json }));
	const runExecutionData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: input, data: { main: [items] }, source: null }],
		},
	});

	let run: IRun | undefined;
	let refused: ExecutionError | undefined;
	try {
		const started = new WorkflowExecute(additionalData, mode, runExecutionData);
		const execution = started.processRunExecutionData(workflow);
		options.signal?.addEventListener('abort', () => execution.cancel());
		run = await execution;
	} catch (error) {
		// A workflow with missing parameters is refused before it starts; n8n shows that as its error.
		refused = error as ExecutionError;
	}
	const last = run?.data.resultData.runData[TESTED_NODE]?.at(-1);
	const data = last?.data?.['main'] ?? last?.data?.[NodeConnectionTypes.AiTool];
	const output = data?.[0] ?? [];
	return {
		items: output,
		errorItems: data?.[1] ?? [],
		json: output.map(({ json }) => json),
		hints: last?.hints ?? [],
		error: run?.data.resultData.error ?? last?.error ?? refused,
		status: run?.status ?? 'error',
		executionId,
		...prepared.recorded,
		after: collector.values,
		run,
		logs: allLogs().slice(firstLog),
		decryptions: credentialsHelper.decryptions,
	};
}
