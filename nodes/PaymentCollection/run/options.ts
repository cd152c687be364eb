import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../shared/errors/inputError';
import type { Item } from './item';

/**
 * The collection Options, in which a field is there only when the user added it.
 *
 * @throws {InputError} when it is no collection: an expression for all of it that gives nothing would take every guard away
 */
export function optionsOf({ parameter }: Pick<Item, 'parameter'>): IDataObject {
	const options = parameter('options', {});
	if (typeof options === 'object' && options !== null && !Array.isArray(options)) {
		return options as IDataObject;
	}
	throw new InputError(
		'Options must be a collection of fields, as the editor makes it',
		'An expression for all of Options has to give an object. Set its fields one by one. Nothing was sent.',
	);
}
