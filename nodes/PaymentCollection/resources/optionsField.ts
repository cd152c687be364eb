import type { INodeProperties } from 'n8n-workflow';

/** What few users set; each option is there only when the user adds it. @param options in alphabetical order */
export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options,
});
