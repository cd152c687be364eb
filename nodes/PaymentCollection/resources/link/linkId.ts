import type { INodeProperties } from 'n8n-workflow';

/** The link that an operation is about. */
export const linkIdField: INodeProperties = {
	displayName: 'Link ID',
	name: 'linkId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
	description: 'UUID of the link, the ID in the output of Create',
};
