import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { InputError } from '../errors/inputError';

/**
 * An expression that stands for a whole collection (`={{ $json.filters }}`). The editor offers none, but a workflow's
 * JSON may hold one, and n8n drops it before the node runs: of a collection it copies the options that the value has
 * properties for, and a text has none of their names. A list would then give everybody's rows, and a refund would go
 * out without its Maximum Amount. What the expression would have given is lost, so it is refused.
 *
 * It is known by what a text does have: the method `search`, which n8n takes for the filter of that name, or else its
 * length, for which an entry stands in the collection that is no field and that the editor never offers.
 */
const METHOD_OF_TEXTS = 'search' satisfies keyof string;
const NUMBER_OF_TEXTS = 'length' satisfies keyof string;

const TRACE: INodePropertyOptions = {
	name: NUMBER_OF_TEXTS,
	value: 0,
	// Shown where it is set already, which no user can do.
	displayOptions: { show: { [NUMBER_OF_TEXTS]: [{ _cnd: { gt: 0 } }] } },
};

/** The fields, where an expression that stands for a whole collection leaves a trace. */
export const traceExpressions = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.map((field) => {
		const { type, options = [] } = field;
		const isTraced = type !== 'collection' || options.some(({ name }) => name === METHOD_OF_TEXTS);
		return isTraced ? field : { ...field, options: [...options, TRACE] };
	});

/**
 * @param parameters of the node, as n8n hands them over
 * @param fields of the node or of its operation
 * @throws {InputError} when an expression stands for a whole collection
 */
export function refuseWholeExpressions(
	parameters: INodeParameters,
	fields: readonly INodeProperties[],
): void {
	for (const { type, name, displayName: title } of fields) {
		const collection: unknown = parameters[name];
		if (type !== 'collection' || typeof collection !== 'object' || collection === null) continue;
		const method: unknown = Reflect.get(collection, METHOD_OF_TEXTS);
		if (typeof method === 'function' || NUMBER_OF_TEXTS in collection) {
			throw new InputError(
				`${title} is one expression as a whole: n8n passes on nothing of what it gives`,
				`Add the fields that you need under ${title}, each with an expression of its own, such as {{ $json.currency }}. Nothing was sent.`,
			);
		}
	}
}
