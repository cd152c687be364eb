import type { Check, Field } from './field';

/**
 * One record chosen from the account's own, or by its ID.
 *
 * @param what the record in a sentence: "customer"
 * @param searchListMethod of the node that uses it
 */
export const locator = (
	what: string,
	searchListMethod: string,
	check: Check<string>,
): Pick<Field<string>, 'type' | 'default' | 'modes' | 'check'> => ({
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select a ${what}…`,
			typeOptions: { searchListMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
						errorMessage: `A ${what} ID is a UUID`,
					},
				},
			],
		},
	],
	check,
});
