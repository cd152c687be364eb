import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { InputError } from '../errors/reportedError';
import type { Check } from '../input/inputChecks';

/** The place of a value in the request, and its name there (docs/service.md). In the path, it replaces `{id}`. */
export type Sent = { readonly in: 'path' } | { readonly in: 'query' | 'body'; readonly as: string };

/** A field of a node, stated once: {@link propertiesOf} makes the editor's property of it, and readFields.ts the request. */
export interface Field<Value = unknown> extends INodeProperties {
	readonly check: Check<Value>;
	/** Name in messages, if not the display name. */
	readonly label?: string;
	/** Missing for a field that only the node itself uses. */
	readonly sent?: Sent;
}

/** Fields that exist only when the user adds them. */
export interface Collection extends INodeProperties {
	readonly type: 'collection';
	readonly fields: readonly Field[];
	/** An entry's name in messages: "filter". */
	readonly entry: string;
	/** Comes before its fields' names in messages, if other fields have the same names: "Filters → ". */
	readonly prefix?: string;
	/**
	 * Decides about an empty field that was added, often with an expression that returned nothing. refused: by the field's
	 * check, since something else would be done without it. refusedUnlessByModel: a model can leave one empty. leftOut: the
	 * service's default applies. sentIfTyped: an empty text is sent if it was typed, and left out otherwise.
	 */
	readonly whenEmpty: 'refused' | 'refusedUnlessByModel' | 'leftOut' | 'sentIfTyped';
	/** The error if no field is set, for a collection that needs one. */
	readonly noneSet?: () => InputError;
}

export type AnyField = Field | Collection;

export const isCollection = (field: AnyField): field is Collection => 'fields' in field;

export const collection = (shown: Omit<Collection, 'type' | 'default'>): Collection => ({
	...shown,
	type: 'collection',
	default: {},
});

/** @param fields in alphabetical order */
export const optionsField = (fields: readonly Field[]) =>
	collection({
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add option',
		prefix: 'Options → ',
		entry: 'option',
		// If an expression found no value, ignoring the option would turn off its protection.
		whenEmpty: 'refused',
		fields,
	});

/** @param fields in alphabetical order @param description of the whole, if it needs one */
export const filtersField = (fields: readonly Field[], description = '') =>
	collection({
		description,
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add Filter',
		entry: 'filter',
		prefix: 'Filters → ',
		// Leaving it out would list everyone's rows instead of one customer's.
		whenEmpty: 'refusedUnlessByModel',
		fields,
	});

/** n8n's display condition for a field of a tool, which a model calls, or of any other node. */
export const inTool = (isTool: boolean) => ({ [IS_TOOL]: [isTool] });

export const IS_TOOL = '@tool';

export const inPath: Sent = { in: 'path' };

/** A name in the contract's type. Without that type, no name compiles. */
type NameIn<Shape> = [Shape] extends [never] ? never : keyof Shape & string;

/** A field that is sent as a filter or in the body. Its names follow from the service's: failure_url is Failure URL. */
export const inQuery = <Filters = never>(as: NameIn<Filters>) => sentAs({ in: 'query', as });

export const inBody = <Body = never>(as: NameIn<Body>) => sentAs({ in: 'body', as });

const sentAs = (sent: Exclude<Sent, { in: 'path' }>) => ({
	displayName: sent.as.replace(/_?url$|(?:^|_)\w/g, (part) => part.replace('_', ' ').toUpperCase()),
	name: sent.as.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
	sent,
});

export const inQuotes = ({ label, displayName }: Field, prefix = ''): string =>
	`'${prefix}${label ?? displayName}'`;

/** The label of an entry of a field. Both are in quotes. */
export const within = (label: string, inner: string): string => `${label.slice(0, -1)} → ${inner}'`;

export const propertiesOf = (fields: readonly AnyField[]): INodeProperties[] =>
	fields.map(propertyOf);

function propertyOf(field: AnyField): INodeProperties {
	const shown = Object.entries(field).filter(([name]) => !OWN.includes(name));
	const property = Object.fromEntries(shown) as INodeProperties;
	if (!isCollection(field)) return property;
	return { ...property, options: [...field.fields.map(propertyOf).map(notOfText), TRACE] };
}

/** Properties that n8n doesn't know. */
const OWN = ['check', 'label', 'sent', 'fields', 'entry', 'prefix', 'whenEmpty', 'noneSet'];

/**
 * Name of an option that every collection has and the editor never offers. n8n drops the result of one expression for a whole
 * collection, but copies those of its properties that have the name of an option: the length of a text remains, and shows that
 * an expression was dropped.
 */
export const TEXT_PROPERTY = 'length' satisfies keyof string;

const IF_TEXT = { [TEXT_PROPERTY]: [{ _cnd: { gt: 0 } }] };

const TRACE: INodePropertyOptions = {
	name: TEXT_PROPERTY,
	value: 0,
	// Shown only if set already, which no user can do.
	displayOptions: { show: IF_TEXT },
};

/** A text also has the method `search`. n8n would copy it into the field of that name: the workflow could not be published. */
const notOfText = (field: INodeProperties): INodeProperties =>
	field.name in String.prototype ? { ...field, displayOptions: { hide: IF_TEXT } } : field;
