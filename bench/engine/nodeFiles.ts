import { UnexpectedError } from 'n8n-workflow';
import type {
	ICredentialType,
	INodeType,
	INodeTypeDescription,
	IVersionedNodeType,
} from 'n8n-workflow';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The files that a user's n8n loads: this package as it was built, and n8n's own nodes. */

/** Where this package stands as it would be installed; set by engine.mjs. */
export const PACKAGE = process.env['BENCH_PACKAGE'] ?? '';
const BASE = 'n8n-nodes-base/dist/nodes';

const load = createRequire(__filename);

function made(file: string, name: string): unknown {
	// The files are known at run time only.
	const found = (load(file) as Record<string, new () => unknown>)[name];
	if (found === undefined) throw new UnexpectedError(`${file} has no ${name}`);
	return new found();
}

/** Path of a file of this package, below dist/. */
const ownFile = (name: string): string => join(PACKAGE, 'dist', name);

export const ourNode = (): INodeType =>
	made(
		ownFile('nodes/PaymentCollection/PaymentCollection.node.js'),
		'PaymentCollection',
	) as INodeType;

export const ourTrigger = (): INodeType =>
	made(
		ownFile('nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node.js'),
		'PaymentCollectionTrigger',
	) as INodeType;

export const ourCredential = (): ICredentialType =>
	made(
		ownFile('credentials/PaymentCollectionApi.credentials.js'),
		'PaymentCollectionApi',
	) as ICredentialType;

/** A node of n8n's own, in the version that the editor gives to a new one. */
export function baseNode(folder: string): { type: INodeType; version: number } {
	const name = folder.split('/').at(-1) ?? '';
	const found = made(`${BASE}/${folder}/${name}.node.js`, name) as INodeType | IVersionedNodeType;
	const type = 'nodeVersions' in found ? found.getNodeType() : found;
	const description: INodeTypeDescription = {
		...type.description,
		name: `n8n-nodes-base.${type.description.name}`,
	};
	const { version, defaultVersion } = description;
	return {
		type: Object.create(type, { description: { value: description } }) as INodeType,
		version:
			('nodeVersions' in found ? found.currentVersion : undefined) ??
			defaultVersion ??
			(Array.isArray(version) ? Math.max(...version) : version),
	};
}
