import { removeUserFolder } from './environment';

import { Logger } from '@n8n/backend-common';
import { GlobalConfig, InstanceSettingsConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import {
	DirectoryLoader,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	InstanceSettings,
	RoutingNode,
	type ExecuteContext,
} from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	isExpression,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type LogMetadata,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { PaymentCollectionApi } from '../../credentials/PaymentCollectionApi.credentials';

/** What n8n calls the package's nodes in saved workflows: `<package>.<node>`. */
export const PACKAGE_NAME = 'n8n-nodes-payment-collection';

// --- Logging ---------------------------------------------------------------------------------

export interface LogEntry {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: LogMetadata;
}

/** Takes the place of n8n's logger, debug level included, so that tests can look for secrets. */
class CapturingLogger extends Logger {
	readonly entries: LogEntry[] = [];

	override scoped(): Logger {
		return this;
	}

	override error(message: string, metadata?: LogMetadata): void {
		this.entries.push({ level: 'error', message, metadata });
	}

	override warn(message: string, metadata?: LogMetadata): void {
		this.entries.push({ level: 'warn', message, metadata });
	}

	override info(message: string, metadata?: LogMetadata): void {
		this.entries.push({ level: 'info', message, metadata });
	}

	override debug(message: string, metadata?: LogMetadata): void {
		this.entries.push({ level: 'debug', message, metadata });
	}
}

// The constructor also makes it the target of n8n-workflow's LoggerProxy.
const logger = new CapturingLogger(
	Container.get(GlobalConfig),
	Container.get(InstanceSettingsConfig),
);
Container.set(Logger, logger);
Container.get(InstanceSettings);
removeUserFolder();

/** Everything logged through n8n since this test file was loaded, oldest first. */
export function allLogs(): readonly LogEntry[] {
	return logger.entries;
}

// --- Node types ------------------------------------------------------------------------------

export interface PreparedNodeType {
	type: INodeType;
	/** One entry for every time the engine called the node: what it threw, or undefined. */
	calls: Array<{ thrown: unknown }>;
}

/**
 * Does to a node type what n8n does when it loads a package and looks the type up: the package
 * name in front, the parameters n8n adds, and an `execute` for a declarative node. The given
 * object stays as it is, since the tests of one file share it.
 */
export function prepareNodeType(nodeType: INodeType): PreparedNodeType {
	const calls: PreparedNodeType['calls'] = [];
	const description: INodeTypeDescription = {
		...nodeType.description,
		name: `${PACKAGE_NAME}.${nodeType.description.name}`,
		properties: [
			...(nodeType.description.polling === true ? commonPollingParameters : []),
			...nodeType.description.properties,
		],
	};
	const type = Object.create(nodeType, {
		description: { value: description, enumerable: true },
		execute: { value: propertiesOf(nodeType).execute, writable: true, enumerable: true },
	}) as INodeType;
	DirectoryLoader.applyDeclarativeNodeOptionParameters(type);

	const { execute = declarativeExecute(type) } = propertiesOf(nodeType);
	if (execute !== undefined) type.execute = recorded(execute, calls);

	if (nodeType.customOperations !== undefined) {
		const operations = Object.entries(nodeType.customOperations).map(([resource, byName]) => [
			resource,
			Object.fromEntries(Object.entries(byName).map(([name, run]) => [name, recorded(run, calls)])),
		]);
		Object.defineProperty(type, 'customOperations', { value: Object.fromEntries(operations) });
	}
	return { type, calls };
}

type Execute = NonNullable<INodeType['execute']>;

/** n8n's methods are called with the context as `this`, so they may well be taken off the object. */
export function propertiesOf(nodeType: INodeType): {
	execute?: Execute;
	poll?: NonNullable<INodeType['poll']>;
} {
	return nodeType;
}

/** n8n gives a node an `execute` of its own when it has `requestDefaults` and nothing that runs. */
function declarativeExecute(type: INodeType): Execute | undefined {
	const isDeclarative = type.description.requestDefaults !== undefined;
	const runsByItself = 'supplyData' in type || 'poll' in type || 'trigger' in type;
	const needsDefaults = 'webhook' in type || type.methods !== undefined;
	if (runsByItself || (needsDefaults && !isDeclarative)) return undefined;
	return async function (this: IExecuteFunctions) {
		const data = await new RoutingNode(this as ExecuteContext, type).runNode();
		return data ?? [];
	};
}

function recorded<This, Args extends unknown[], Result>(
	run: (this: This, ...args: Args) => Promise<Result>,
	calls: PreparedNodeType['calls'],
): (this: This, ...args: Args) => Promise<Result> {
	return async function (this: This, ...args: Args) {
		const call: { thrown: unknown } = { thrown: undefined };
		calls.push(call);
		try {
			return await run.apply(this, args);
		} catch (error) {
			call.thrown = error;
			throw error;
		}
	};
}

/** A node that hands its input on: the start, and the stand-in of the credential test. */
export class NoOp implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'No Operation',
		name: 'n8n-nodes-base.noOp',
		group: ['organization'],
		version: 1,
		description: '',
		defaults: { name: 'No Operation' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

export class HarnessNodeTypes implements INodeTypes {
	private readonly types = new Map<string, INodeType>();

	constructor(...types: INodeType[]) {
		for (const type of [new NoOp(), ...types]) this.types.set(type.description.name, type);
	}

	getByName(name: string): INodeType {
		const type = this.types.get(name);
		if (type === undefined) throw new UnexpectedError(`Unknown node type "${name}"`);
		return type;
	}

	getByNameAndVersion(name: string): INodeType {
		return this.getByName(name);
	}

	getKnownTypes(): IDataObject {
		return {};
	}
}

export function latestVersion({ version, defaultVersion }: INodeTypeDescription): number {
	return defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
}

// --- Credentials -----------------------------------------------------------------------------

/** Decrypted credential data, `{ baseUrl, apiKey }` for this package. */
export type CredentialData = ICredentialDataDecryptedObject;

const NO_CREDENTIAL: ICredentialType = { name: 'none', displayName: 'None', properties: [] };

/** The package's credential type unless told otherwise. */
export function credentialTypeFor(options: {
	credentials?: CredentialData;
	credentialType?: ICredentialType;
}): ICredentialType {
	if (options.credentialType !== undefined) return options.credentialType;
	return options.credentials === undefined ? NO_CREDENTIAL : new PaymentCollectionApi();
}

/** Runs a real credential type the way n8n's own helper does; only the store is left out. */
export class HarnessCredentialsHelper extends ICredentialsHelper {
	/** How often the engine decrypted the credential (n8n does so for every single request). */
	decryptions = 0;

	constructor(
		private readonly type: ICredentialType,
		private readonly data: CredentialData,
	) {
		super();
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		incoming: IHttpRequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		if (authenticate === undefined) return incoming;
		if (typeof authenticate === 'function') return await authenticate(credentials, incoming);
		if (workflow === undefined || node === undefined) {
			throw new UnexpectedError('Generic authentication needs a workflow and a node');
		}
		const resolve = (value: string): string => {
			if (!isExpression(value)) return value;
			const keys = { $credentials: credentials };
			const resolved: unknown = workflow.expression.getSimpleParameterValue(
				node,
				value,
				'internal',
				keys,
				undefined,
				'',
			);
			return typeof resolved === 'string' ? resolved : JSON.stringify(resolved ?? '');
		};
		incoming.headers ??= {};
		// n8n writes into the objects it was given: a node that reuses its headers sees the key there.
		for (const [part, values] of Object.entries(authenticate.properties)) {
			const existing: unknown = Reflect.get(incoming, part);
			const target = typeof existing === 'object' && existing !== null ? existing : {};
			for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
				Reflect.set(target, resolve(name), resolve(String(value)));
			}
			Reflect.set(incoming, part, target);
		}
		return incoming;
	}

	/** n8n renews only types with an expirable hidden field; all others get `undefined` here. */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		_node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const expirable = this.type.properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (expirable === undefined || this.type.preAuthentication === undefined) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const output = await this.type.preAuthentication.call(helpers, credentials);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	getParentTypes(): string[] {
		return this.type.extends ?? [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		this.decryptions += 1;
		return withCredentialDefaults(this.type, this.data);
	}

	getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new UnexpectedError('The harness has no credential store');
	}

	async updateCredentials(): Promise<void> {
		throw new UnexpectedError('The harness has no credential store');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UnexpectedError('The harness has no credential store');
	}
}

/** A copy of the data with the defaults of the credential type filled in, as n8n hands it out. */
export function withCredentialDefaults(
	type: ICredentialType,
	data: CredentialData,
): ICredentialDataDecryptedObject {
	const filled = NodeHelpers.getNodeParameters(
		type.properties,
		{ ...data } as Parameters<typeof NodeHelpers.getNodeParameters>[1],
		true,
		false,
		null,
		null,
	);
	return { ...(filled as ICredentialDataDecryptedObject | null) };
}

// --- Additional data -------------------------------------------------------------------------

export interface AdditionalDataOptions {
	credentialsHelper: ICredentialsHelper;
	mode: WorkflowExecuteMode;
	executionId?: string;
	workflowId?: string;
	nodeParameters?: IWorkflowExecuteAdditionalData['currentNodeParameters'];
}

/** What n8n passes along with every execution, with the parts that no node of ours may need left out. */
export function createAdditionalData(
	options: AdditionalDataOptions,
): IWorkflowExecuteAdditionalData {
	const missing = async (): Promise<never> =>
		await Promise.reject(new UnexpectedError('Not part of the test harness'));
	const baseUrl = 'http://127.0.0.1:5678/';
	const { executionId, workflowId = 'workflow', mode } = options;
	return {
		credentialsHelper: options.credentialsHelper,
		executeWorkflow: missing,
		getRunExecutionData: missing,
		getRuntimeCredential: missing,
		startRunnerTask: missing,
		logAiEvent: () => undefined,
		currentNodeExecutionIndex: 0,
		currentNodeParameters: options.nodeParameters,
		executionId,
		workflowId,
		restApiUrl: `${baseUrl}rest`,
		instanceBaseUrl: baseUrl,
		formBaseUrl: `${baseUrl}form`,
		formWaitingBaseUrl: `${baseUrl}form-waiting`,
		formTestBaseUrl: `${baseUrl}form-test`,
		webhookBaseUrl: `${baseUrl}webhook`,
		webhookWaitingBaseUrl: `${baseUrl}webhook-waiting`,
		webhookTestBaseUrl: `${baseUrl}webhook-test`,
		mcpBaseUrl: `${baseUrl}mcp`,
		mcpTestBaseUrl: `${baseUrl}mcp-test`,
		variables: {},
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		hooks: new ExecutionLifecycleHooks(mode, executionId ?? '', {
			id: workflowId,
			name: 'Harness',
			active: false,
			activeVersionId: null,
			isArchived: false,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
		}),
	};
}

let lastId = 0;

/** A number that no other run, workflow or execution of this test file has. */
export function nextId(): string {
	lastId += 1;
	return String(lastId);
}
