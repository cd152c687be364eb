import type { INodeProperties } from 'n8n-workflow';

/** Service-interface.md, section "Charge": card data and tokens are sensitive. */
export const includeSensitiveDataField: INodeProperties = {
	displayName: 'Include Sensitive Data',
	name: 'includeSensitiveData',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep card data and payment tokens in the output, where n8n stores them with the execution. Security codes are always removed.',
};
