import { collection, type Field } from './field';

/** What few users set; each option is there only when the user adds it. @param fields in alphabetical order */
export const optionsField = (fields: readonly Field[]) =>
	collection({
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add option',
		entry: 'option',
		// One that its expression did not find must not count as not set: every guard would be off.
		whenEmpty: 'refused',
		fields,
	});

/** What a list is narrowed down to. @param fields in alphabetical order */
export const filtersField = (fields: readonly Field[]) =>
	collection({
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add Filter',
		entry: 'filter',
		// Leaving it out would list everybody's rows instead of one customer's.
		whenEmpty: 'refused',
		fields,
	});
