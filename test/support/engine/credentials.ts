import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	isExpression,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type Workflow,
} from 'n8n-workflow';

import { PaymentCollectionApi } from '../../../credentials/PaymentCollectionApi.credentials';

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
	/** How often the engine decrypted the credential (n8n does so for every request that is not given it). */
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

	/** Expressions in the credential are evaluated for the item that it is asked for. */
	async getDecrypted(
		...[, , , mode, executeData, , place]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		this.decryptions += 1;
		const data = withCredentialDefaults(this.type, this.data);
		if (place === undefined || !Object.values(data).some(isExpression)) return data;
		return place.workflow.expression.getParameterValue(
			data as INodeParameters,
			place.runExecutionData,
			place.runIndex,
			place.itemIndex,
			place.node.name,
			place.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
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
