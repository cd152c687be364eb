import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	isExpression,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

/** Decrypted credential data, `{ baseUrl, apiKey }` for this package. */
export type CredentialData = ICredentialDataDecryptedObject;

/** Runs a real credential type the way n8n's own helper does; only the store is left out. */
export class HarnessCredentialsHelper extends ICredentialsHelper {
	/** How often the engine decrypted the credential (n8n does so for each request that gets no decrypted data). */
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
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}

	/** n8n renews only a credential with a hidden field that can expire. The credentials of the tests have none. */
	async preAuthentication(): Promise<undefined> {
		return undefined;
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

	getCredentials = noStore;

	updateCredentials = noStore;

	updateCredentialsOauthTokenData = noStore;
}

async function noStore(): Promise<never> {
	throw new UnexpectedError('The harness has no credential store');
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
