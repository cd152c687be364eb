import { createAdditionalData, nextId } from '../test/support/engine/additionalData';
import { HarnessCredentialsHelper } from '../test/support/engine/credentials';
import { createPoller, type Poller } from '../test/support/engine/poller';

import { GlobalConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import axios from 'axios';
import { PackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
	Expression,
	NodeHelpers,
	Workflow,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeType,
	type WorkflowParameters,
} from 'n8n-workflow';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * n8n's engine as a process of its own: the installed one, on its own Node, with this package as it was built. It does
 * one task after the other, `load` first, and says what each took.
 */
interface Task {
	readonly job: keyof typeof JOBS;
	readonly credentials: { readonly baseUrl: string; readonly apiKey: string };
	readonly workflow: Pick<WorkflowParameters, 'nodes' | 'connections'>;
	readonly polls: number;
}

/** Time in which n8n prepares the isolate for the next execution. One that begins sooner waits 40 ms for it. */
const ISOLATE_MS = 150;

// n8n loads its own nodes first, so its loader is warm when it comes to a community package.
const basePackage = new PackageDirectoryLoader(
	dirname(createRequire(__filename).resolve('n8n-nodes-base/package.json')),
);
for (const folder of ['ManualTrigger', 'HttpRequest', 'Transform/SplitOut']) {
	basePackage.loadNodeFromFile(`dist/nodes/${folder}/${folder.split('/').at(-1)}.node.js`);
}
const ownPackage = new PackageDirectoryLoader(process.env['BENCH_PACKAGE'] ?? '');
const credentialType = () => ownPackage.getCredential('paymentCollectionApi').type;

// The node is compared with a program without n8n, and with a small node that leaves all to n8n.

interface Envelope {
	readonly count: number;
	readonly results: IDataObject[];
}

const WORKERS = 8;

/** Reads page 1, which has the count, then all others, eight at a time. */
async function readPages(readPage: (page: number) => Promise<Envelope>): Promise<IDataObject[]> {
	const first = await readPage(1);
	const pages = [first.results];
	const others = Array.from({ length: Math.ceil(first.count / 100) - 1 }, (_, index) => index + 2);
	const worker = async (): Promise<void> => {
		for (let page = others.shift(); page !== undefined; page = others.shift())
			pages[page - 1] = (await readPage(page)).results;
	};
	await Promise.all(Array.from({ length: WORKERS }, worker));
	return pages.flat();
}

/** An ordinary pagination function, with none of this package's checks. */
async function paginate(
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const rows = await readPages(async (page) => {
		const options = { ...request.options, qs: { page, page_size: 100 } };
		const [item] = await this.makeRoutingRequest({ ...request, options });
		return item?.json as unknown as Envelope;
	});
	return rows.map((json) => ({ json }));
}

/** It uses this package's credential, whose key needs no expression. */
const plainNode: INodeType = {
	description: {
		displayName: 'Plain Node',
		name: 'plainNode',
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name: 'Plain Node' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'paymentCollectionApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		properties: [
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '/v1/customers',
				routing: {
					request: { method: 'GET', url: '={{ $value }}' },
					send: { paginate: true },
					operations: { pagination: paginate },
				},
			},
		],
	},
};

const nodeType = (type: string, version?: number): INodeType => {
	const [packageName, name = ''] = type.split('.');
	if (packageName === 'bench') return plainNode;
	const loader = packageName === basePackage.packageName ? basePackage : ownPackage;
	return NodeHelpers.getVersionedNodeType(loader.getNode(name).type, version);
};
const nodeTypes = { getByName: nodeType, getByNameAndVersion: nodeType, getKnownTypes: () => ({}) };

let poller: Poller | undefined;

/** Each gives the number of items that came of it, if any. */
const JOBS = {
	/** Both nodes and the credential, as n8n loads a community package when it starts. */
	load: async (): Promise<void> => await ownPackage.loadAll(),

	/** Without n8n, by connections that stay open, as Node's do. */
	axios: async ({ credentials: { baseUrl, apiKey } }: Task): Promise<number> => {
		const headers = { 'X-API-KEY': apiKey };
		const client = axios.create({ baseURL: baseUrl, headers, proxy: false });
		const rows = await readPages(async (page) => {
			const params = { page, page_size: 100 };
			return (await client.get<[Envelope]>('/v1/customers', { params })).data[0];
		});
		return rows.length;
	},

	workflow: async ({ credentials, workflow }: Task): Promise<number> => {
		const additionalData = createAdditionalData({
			credentialsHelper: new HarnessCredentialsHelper(credentialType(), credentials),
			mode: 'trigger',
			executionId: nextId(),
		});
		const loaded = new Workflow({ ...workflow, id: 'bench', active: false, nodeTypes });
		const run = await new WorkflowExecute(additionalData, 'trigger').run({ workflow: loaded });
		const { error, runData, lastNodeExecuted = '' } = run.data.resultData;
		if (error !== undefined) throw error;
		return runData[lastNodeExecuted]?.at(-1)?.data?.['main']?.[0]?.length ?? 0;
	},
	/** Publishes a workflow that begins with the trigger. */
	activate: async ({ credentials }: Task): Promise<number> => {
		const Trigger = ownPackage.getNode('paymentCollectionTrigger').type.constructor;
		// A new one, since the loader has added to its own what the harness adds.
		const trigger = new (Trigger as new () => INodeType)();
		poller = createPoller({ nodeType: trigger, credentials, credentialType: credentialType() });
		return await itemsOf(poller.activate());
	},
	poll: async ({ polls }: Task): Promise<number> => {
		let items = 0;
		for (let done = 0; done < polls; done++) items += await itemsOf(poller?.tick());
		return items;
	},
};

async function itemsOf(outcome: ReturnType<Poller['tick']> | undefined): Promise<number> {
	const { error, items } = (await outcome) ?? {};
	if (error !== undefined) throw error;
	return items?.length ?? 0;
}

function heapUsed(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}

async function measure(task: Task): Promise<object> {
	await sleep(ISOLATE_MS);
	const heap = heapUsed();
	const cpu = process.cpuUsage();
	const began = performance.now();
	const items = await JOBS[task.job](task);
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(cpu);
	return { items, ms, cpuMs: (user + system) / 1_000, heapKb: (heapUsed() - heap) / 1_000 };
}

// Expressions are evaluated as n8n's settings have it: by default in an isolate, which costs what it costs there.
const { idleTimeout, ...settings } = Container.get(GlobalConfig).expressionEngine;
const idleTimeoutMs = idleTimeout && idleTimeout * 1_000;
const started = Expression.initExpressionEngine({ ...settings, idleTimeoutMs });

// A task that fails ends the process, and so the wait for its answer.
process.on('message', (task: Task) => {
	void started.then(async () => await measure(task)).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit());
