import './environment';

import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor, WorkflowExecute } from 'n8n-core';
import {
	UnexpectedError,
	Workflow,
	createRunExecutionData,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';

import { createAdditionalData, nextId } from './additionalData';
import { HarnessCredentialsHelper, credentialTypeFor, type CredentialData } from './credentials';
import { allLogs, type LogEntry } from './logs';
import {
	HarnessNodeTypes,
	latestVersion,
	prepareNodeType,
	propertiesOf,
} from './workflow/nodeTypes';

/** What a tick of n8n's durable scheduler leaves of its 45 s, with n8n's default settings. */
const DURABLE_BUDGET_MS = 36_000;

export interface PollerOptions {
	nodeType: INodeType;
	parameters?: INodeParameters;
	credentials?: CredentialData;
	credentialType?: ICredentialType;
	/** Why n8n activates: a user's publish (`activate`, `update`) or its own start (`init`). */
	activation?: WorkflowActivateMode;
	/** Cursor and execution are committed together, and every tick has a context of its own. */
	durable?: boolean;
	/** Of ticks; null stands for an older n8n that has no `getPollBudgetMs`. */
	budgetMs?: number | null;
	/** The node's saved static data to start with. */
	staticData?: IDataObject;
	/** A stored durable cursor to start with; n8n uses one even after the feature was turned off. */
	cursor?: IDataObject;
	/** The same node under another name has no static data, as in n8n. */
	nodeName?: string;
	workflowId?: string;
}

/** What became of one poll. */
interface PollOutcome {
	/** The emitted items, null when no execution was started. */
	items: INodeExecutionData[] | null;
	json: IDataObject[];
	/** At activation: n8n gives up after five of them. At a tick: a failed execution. */
	error?: Error;
	/** Whether this poll changed what is stored. */
	saved: boolean;
	logs: LogEntry[];
}

/** What survives a restart of n8n; JSON text, as in its database. */
interface Store {
	staticData: string;
	cursor: string | null;
}

export interface Poller {
	/** The poll at a publish or at n8n's start. May be called again, as n8n does when it failed. */
	activate(): Promise<PollOutcome>;
	/** A poll of the schedule; overlapping ones may be started without awaiting the first. */
	tick(): Promise<PollOutcome>;
	/** "Fetch Test Event" in the editor: a manual execution over the stored data, never saved. */
	fetchTestEvent(): Promise<PollOutcome>;
	/** A new process over what was stored; unsaved changes are lost. */
	restart(activation?: WorkflowActivateMode): Poller;
	/** The node's stored static data. */
	saved(): IDataObject;
	/** The node's static data in memory, with what null polls changed since the last save. */
	unsaved(): IDataObject;
	/** The stored durable cursor. */
	cursor(): IDataObject | null;
}

/** One poll as n8n knows it while it runs; ticks may overlap, so it can't live in the context. */
interface Tick {
	emitted: INodeExecutionData[][] | null;
	error?: Error;
	saved: boolean;
	/** The staged cursor, and what is stored; absent when the node's static data is used instead. */
	staged?: { snapshot: IDataObject; stored: IDataObject };
}

/**
 * Which tick it is that something is asked for. One for all pollers, and only as long as the file that polls: Node goes
 * through every storage that was ever used for each promise that is made, in the files that follow too.
 */
const ticks = new AsyncLocalStorage<Tick>();
if (typeof afterAll === 'function') afterAll(() => ticks.disable());

/** A polling node with n8n's own poll context, executor and static data. */
export function createPoller(options: PollerOptions): Poller {
	const name = options.nodeName ?? 'Trigger';
	const staticData =
		options.staticData === undefined ? {} : { [`node:${name}`]: options.staticData };
	return pollerOver(
		{ ...options, nodeName: name, workflowId: options.workflowId ?? `workflow-${nextId()}` },
		{
			staticData: JSON.stringify(staticData),
			cursor: options.cursor === undefined ? null : JSON.stringify(options.cursor),
		},
	);
}

function pollerOver(
	options: PollerOptions & { nodeName: string; workflowId: string },
	store: Store,
): Poller {
	const { durable = false, activation = 'activate', nodeName, workflowId } = options;
	const prepared = prepareNodeType(options.nodeType);
	const { description } = prepared.type;
	if (propertiesOf(prepared.type).poll === undefined)
		throw new UnexpectedError('The node does not poll');
	const credentialType = credentialTypeFor(options);
	const node: INode = {
		id: 'trigger-node',
		name: nodeName,
		type: description.name,
		typeVersion: latestVersion(description),
		position: [0, 0],
		parameters: structuredClone(options.parameters ?? {}),
		...(options.credentials === undefined
			? {}
			: { credentials: { [credentialType.name]: { id: 'credential', name: 'Test account' } } }),
	};
	const nodeTypes = new HarnessNodeTypes(prepared.type);
	const executor = Container.get(PollTriggerExecutor);

	const loadWorkflow = (): Workflow =>
		new Workflow({
			id: workflowId,
			name: 'Harness',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: parse(store.staticData),
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});

	const additionalData = (mode: 'trigger' | 'manual'): IWorkflowExecuteAdditionalData =>
		createAdditionalData({
			credentialsHelper: new HarnessCredentialsHelper(credentialType, options.credentials ?? {}),
			mode,
			workflowId,
			executionId: mode === 'manual' ? nextId() : undefined,
		});

	const saveStaticData = (workflow: Workflow): boolean => {
		// n8n asks the observing proxies; a change that they missed is not saved, here as there.
		if (workflow.staticData['__dataChanged'] !== true) return false;
		store.staticData = JSON.stringify(workflow.staticData);
		Reflect.set(workflow.staticData, '__dataChanged', false);
		return true;
	};

	const commitCursor = ({ staged }: Tick): boolean => {
		if (staged === undefined || isDeepStrictEqual(staged.snapshot, staged.stored)) return false;
		store.cursor = JSON.stringify(staged.snapshot);
		staged.stored = parse(store.cursor);
		return true;
	};

	const currentTick = (): Tick => {
		const tick = ticks.getStore();
		if (tick === undefined) throw new UnexpectedError('Static data was read outside of a poll');
		return tick;
	};

	const createContext = (
		workflow: Workflow,
		mode: WorkflowActivateMode,
		budgetMs: number | undefined,
	): PollContext => {
		const context = new PollContext(
			workflow,
			node,
			additionalData('trigger'),
			'trigger',
			mode,
			(data) => {
				const tick = currentTick();
				tick.emitted = data;
				const committed = commitCursor(tick);
				tick.saved = saveStaticData(workflow) || committed;
			},
			(error) => {
				currentTick().error = error;
			},
			async () => {
				const tick = currentTick();
				tick.saved = commitCursor(tick);
			},
			async (run) => {
				const tick = currentTick();
				// The first durable poll takes the node's static data over, and stores it right away.
				if (durable) store.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
				if (store.cursor !== null) {
					tick.staged = { snapshot: parse(store.cursor), stored: parse(store.cursor) };
				}
				return await run();
			},
			() => currentTick().staged?.snapshot ?? workflow.getStaticData('node', node),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
		if (options.budgetMs === null) {
			Object.defineProperty(context, 'getPollBudgetMs', { value: undefined });
		}
		return context;
	};

	const observe = async (run: (tick: Tick) => Promise<void>): Promise<PollOutcome> => {
		const tick: Tick = { emitted: null, saved: false };
		const firstLog = allLogs().length;
		await ticks.run(tick, async () => {
			try {
				await run(tick);
			} catch (error) {
				tick.error = error instanceof Error ? error : new Error(String(error));
			}
		});
		const items = tick.emitted?.[0] ?? (tick.emitted === null ? null : []);
		return {
			items,
			json: (items ?? []).map(({ json }) => json),
			error: tick.error,
			saved: tick.saved,
			logs: allLogs().slice(firstLog),
		};
	};

	const workflow = loadWorkflow();
	let context: PollContext | undefined;

	return {
		activate: async () =>
			await observe(async (tick) => {
				const budget = durable ? undefined : (options.budgetMs ?? undefined);
				context = createContext(workflow, activation, budget);
				await executor.create(workflow, node, context, () => true)(true);
				// Without durable cursors n8n saves what the activation changed, emitted or not.
				if (saveStaticData(workflow)) tick.saved = true;
			}),

		tick: async () =>
			await observe(async () => {
				if (durable) {
					// Each tick loads the workflow anew; its activation mode is always this one.
					const fresh = loadWorkflow();
					const own = createContext(fresh, 'update', options.budgetMs ?? DURABLE_BUDGET_MS);
					await executor.create(fresh, node, own, () => true)();
					return;
				}
				if (context === undefined) throw new UnexpectedError('Call activate() before tick()');
				await executor.create(workflow, node, context, () => true)();
			}),

		fetchTestEvent: async () =>
			await observe(async (tick) => {
				const manual = loadWorkflow();
				const runExecutionData = createRunExecutionData({
					executionData: {
						nodeExecutionStack: [{ node, data: { main: [[{ json: {} }]] }, source: null }],
					},
				});
				const run = await new WorkflowExecute(
					additionalData('manual'),
					'manual',
					runExecutionData,
				).processRunExecutionData(manual);
				const main = run.data.resultData.runData[nodeName]?.[0]?.data?.['main'];
				tick.emitted = main?.[0] ? [main[0]] : null;
				tick.error = run.data.resultData.error;
			}),

		restart: (mode = 'init') => pollerOver({ ...options, activation: mode }, { ...store }),
		saved: () => nodeData(parse(store.staticData), nodeName),
		unsaved: () => nodeData(parse(JSON.stringify(workflow.staticData)), nodeName),
		cursor: () => (store.cursor === null ? null : parse(store.cursor)),
	};
}

function nodeData(staticData: IDataObject, nodeName: string): IDataObject {
	return (staticData[`node:${nodeName}`] ?? {}) as IDataObject;
}

function parse(text: string): IDataObject {
	return JSON.parse(text) as IDataObject;
}
