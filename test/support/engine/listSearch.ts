import './environment';

import { LoadOptionsContext } from 'n8n-core';
import { UnexpectedError, type INodeListSearchResult } from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import { type NodeUnderTest, detached } from './nodeUnderTest';

export interface ListSearchOptions extends NodeUnderTest {
	method: string;
	filter?: string;
	paginationToken?: string;
	/** IANA name of n8n's time zone; UTC by default. */
	timezone?: string;
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
		'parameters',
	);
	return await method.call(context, options.filter, options.paginationToken);
}
