import './environment';

import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor, WorkflowExecute } from 'n8n-core';
import {
	UnexpectedError,
	Workflow,
	createRunExecutionData,
	type IDataObject,
	type INodeExecutionData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

import { createAdditionalData, nextId } from './additionalData';
import { allLogs, type LogEntry } from './logs';
import { prepare, type NodeUnderTest } from './nodeUnderTest';

/** Time of a poll within the 45 s of a durable tick, with n8n's default settings. */
const DURABLE_BUDGET_MS = 36_000;

export interface PollerOptions extends NodeUnderTest {
	/** Reason of the activation: a user's publish (`activate`, `update`) or n8n's start (`init`). */
	activation?: WorkflowActivateMode;
	/** Cursor and execution are committed together, and every tick has a context of its own. */
	durable?: boolean;
	budgetMs?: number;
	staticData?: IDataObject;
	/** The same node under another name has no static data, as in n8n. */
	nodeName?: string;
	workflowId?: string;
}

interface PollOutcome {
	/** The emitted items, null when no execution was started. */
	items: INodeExecutionData[] | null;
	json: IDataObject[];
	/** After five of them, n8n gives up the activation. A tick's error fails the execution. */
	error?: Error;
	logs: LogEntry[];
}

/** Survives a restart of n8n, as JSON text in its database. */
interface Store {
	staticData: string;
	cursor: string | null;
}

/** One poll as n8n knows it while it runs. */
interface Tick {
	emitted: INodeExecutionData[][] | null;
	error?: Error;
	/** The staged cursor, and what is stored; absent when the node's static data is used instead. */
	staged?: { snapshot: IDataObject; stored: IDataObject };
}

const parse = (text: string): IDataObject => JSON.parse(text) as IDataObject;

/** A polling node with n8n's own poll context, executor and static data. */
export function createPoller({ nodeName = 'Trigger', ...options }: PollerOptions): Poller {
	const { staticData, workflowId = `workflow-${nextId()}` } = options;
	return new Poller(
		{ ...options, nodeName, workflowId },
		{
			staticData: JSON.stringify(
				staticData === undefined ? {} : { [`node:${nodeName}`]: staticData },
			),
			cursor: null,
		},
	);
}

export class Poller {
	private readonly executor = Container.get(PollTriggerExecutor);
	private readonly prepared: ReturnType<typeof prepare>;
	private readonly workflow: Workflow;
	private context: PollContext | undefined;
	/** The poll that runs, or ran last. */
	private current: Tick = { emitted: null };

	constructor(
		private readonly options: PollerOptions & { nodeName: string; workflowId: string },
		private readonly store: Store,
	) {
		this.prepared = prepare(options, {
			id: options.nodeId ?? 'trigger-node',
			name: options.nodeName,
		});
		this.workflow = this.loadWorkflow();
	}

	/** The poll at a publish or at n8n's start. May be called again, as n8n does when it failed. */
	async activate(): Promise<PollOutcome> {
		const { activation = 'activate', durable, budgetMs } = this.options;
		return await this.observe(async () => {
			const budget = durable === true ? undefined : budgetMs;
			this.context = this.createContext(this.workflow, activation, budget);
			await this.executor.create(this.workflow, this.prepared.node, this.context, () => true)(true);
			// Without durable cursors n8n saves what the activation changed, emitted or not.
			this.saveStaticData(this.workflow);
		});
	}

	/** A poll of the schedule. Two that overlap need a poller each: see `restart`. */
	async tick(): Promise<PollOutcome> {
		return await this.observe(async () => {
			let { workflow, context } = this;
			if (this.options.durable === true) {
				// Each tick loads the workflow anew; its activation mode is always this one.
				workflow = this.loadWorkflow();
				const { budgetMs = DURABLE_BUDGET_MS } = this.options;
				context = this.createContext(workflow, 'update', budgetMs);
			}
			if (context === undefined) throw new UnexpectedError('Call activate() before tick()');
			await this.executor.create(workflow, this.prepared.node, context, () => true)();
		});
	}

	/** "Fetch Test Event" in the editor: a manual execution over the stored data, never saved. */
	async fetchTestEvent(): Promise<PollOutcome> {
		const { node } = this.prepared;
		return await this.observe(async (tick) => {
			const stack = [{ node, data: { main: [[{ json: {} }]] }, source: null }];
			const run = await new WorkflowExecute(
				this.additionalData('manual'),
				'manual',
				createRunExecutionData({ executionData: { nodeExecutionStack: stack } }),
			).processRunExecutionData(this.loadWorkflow());
			const main = run.data.resultData.runData[node.name]?.[0]?.data?.['main'];
			tick.emitted = main?.[0] ? [main[0]] : null;
			tick.error = run.data.resultData.error;
		});
	}

	/** A new process over what was stored; unsaved changes are lost. */
	restart(): Poller {
		return new Poller({ ...this.options, activation: 'init' }, { ...this.store });
	}

	saved(): IDataObject {
		return this.dataIn(this.store.staticData);
	}

	/** The node's static data in memory, with what null polls changed since the last save. */
	unsaved(): IDataObject {
		return this.dataIn(JSON.stringify(this.workflow.staticData));
	}

	private dataIn(staticData: string): IDataObject {
		return (parse(staticData)[`node:${this.options.nodeName}`] ?? {}) as IDataObject;
	}

	private loadWorkflow(): Workflow {
		return new Workflow({
			id: this.options.workflowId,
			name: 'Harness',
			nodes: [this.prepared.node],
			connections: {},
			active: true,
			nodeTypes: this.prepared.nodeTypes,
			staticData: parse(this.store.staticData),
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
	}

	private additionalData(mode: 'trigger' | 'manual'): IWorkflowExecuteAdditionalData {
		const { workflowId } = this.options;
		const { credentialsHelper } = this.prepared;
		const executionId = mode === 'manual' ? nextId() : undefined;
		return createAdditionalData({ credentialsHelper, mode, workflowId, executionId });
	}

	private saveStaticData(workflow: Workflow): void {
		// n8n asks the observing proxies; a change that they missed is not saved, here as there.
		if (workflow.staticData['__dataChanged'] !== true) return;
		this.store.staticData = JSON.stringify(workflow.staticData);
		Reflect.set(workflow.staticData, '__dataChanged', false);
	}

	private commitCursor({ staged }: Tick): void {
		if (staged === undefined || isDeepStrictEqual(staged.snapshot, staged.stored)) return;
		this.store.cursor = JSON.stringify(staged.snapshot);
		staged.stored = parse(this.store.cursor);
	}

	private createContext(
		workflow: Workflow,
		activation: WorkflowActivateMode,
		budgetMs: number | undefined,
	): PollContext {
		const { node } = this.prepared;
		return new PollContext(
			workflow,
			node,
			this.additionalData('trigger'),
			'trigger',
			activation,
			(data) => {
				this.current.emitted = data;
				this.commitCursor(this.current);
				this.saveStaticData(workflow);
			},
			(error) => {
				this.current.error = error;
			},
			async () => {
				this.commitCursor(this.current);
			},
			async (run) => {
				const { durable } = this.options;
				// The first durable poll takes over the node's static data and stores it immediately.
				if (durable === true)
					this.store.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
				const { cursor } = this.store;
				if (cursor !== null)
					this.current.staged = { snapshot: parse(cursor), stored: parse(cursor) };
				return await run();
			},
			() => this.current.staged?.snapshot ?? workflow.getStaticData('node', node),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
	}

	private async observe(run: (tick: Tick) => Promise<void>): Promise<PollOutcome> {
		const tick: Tick = { emitted: null };
		this.current = tick;
		const firstLog = allLogs().length;
		try {
			await run(tick);
		} catch (error) {
			tick.error = error instanceof Error ? error : new Error(String(error));
		}
		const { emitted, error } = tick;
		const items = emitted && (emitted[0] ?? []);
		const json = (items ?? []).map((item) => item.json);
		return { items, json, error, logs: allLogs().slice(firstLog) };
	}
}
