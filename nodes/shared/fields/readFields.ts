import type { IDataObject, INode } from 'n8n-workflow';
import { InputError, notOfKind, quotedText } from '../errors/reportedError';
import { isNothing } from '../input/inputChecks';
import { isTool } from '../n8nAdapter';
import { isRecord, plainText, trimmed } from '../values';
import {
	IS_TOOL,
	TEXT_PROPERTY,
	inQuotes,
	isCollection,
	type AnyField,
	type Collection,
	type Field,
	type Sent,
} from './field';

/** The checked values of an operation's fields for one item, without fields that another value hides. */
export class FieldValues {
	private readonly values = new Map<Field, unknown>();
	private id: string | undefined;
	readonly query: Record<string, string> = {};
	readonly body: IDataObject = {};
	/** Values of required fields and of collections, as given. */
	readonly entered = new Map<Field, unknown>();
	/** Labels of added fields that were not sent because they are empty. */
	readonly leftOut: string[] = [];

	/**
	 * @param parameter reads a parameter for one item; `fallback` if the workflow does not contain it
	 * @param node as in the workflow, with its expressions
	 * @throws {InputError} naming the first field with a bad value
	 */
	constructor(
		fields: readonly AnyField[],
		parameter: (name: string, fallback: unknown) => unknown,
		private readonly node: Pick<INode, 'parameters' | 'type'>,
		private readonly timeZone: string,
	) {
		const read = new Map<string, unknown>();
		const given: Given = (field) => {
			const { name, default: byDefault } = field;
			// Read once: an expression can return a different value each time, and fields that exclude each other would both count.
			if (!read.has(name)) read.set(name, chosen(field, parameter(name, byDefault)));
			return read.get(name);
		};
		for (const field of fields) {
			if (!this.isShown(field, fields, given)) continue;
			if (isCollection(field)) this.addCollection(field, parameter(field.name, field.default));
			else this.add(field, given(field));
		}
	}

	/** Undefined for a field that is not shown, or that the user did not add. */
	of<Value>(field: Field<Value>): Value | undefined {
		// Each value was returned by the check of its field.
		return this.values.get(field) as Value | undefined;
	}

	orDefault<Value>(field: Field<Value>): Value {
		return this.of(field) ?? this.check(field, field.default);
	}

	get pathAndBody() {
		const hasBody = Object.keys(this.body).length > 0;
		return { id: this.id, body: hasBody ? this.body : undefined };
	}

	private addCollection(collection: Collection, value: unknown): void {
		const { displayName, fields, entry, whenEmpty, noneSet } = collection;
		const raw: unknown = this.node.parameters[collection.name];
		if (isRecord(raw) && TEXT_PROPERTY in raw) {
			throw new InputError(
				`'${displayName}' is set by a single expression, whose result n8n doesn’t pass on`,
				`Add the fields that you need under '${displayName}', each with its own expression, such as {{ $json.currency }}. Nothing was sent.`,
			);
		}
		if (!isRecord(value)) {
			const advice = `Add the ${entry}s that you need under '${displayName}', one by one. Nothing was sent.`;
			throw notOfKind(value, `'${displayName}'`, COLLECTION, advice);
		}
		const name = Object.keys(value).find((one) => fields.every((known) => known.name !== one));
		if (name !== undefined) {
			throw new InputError(
				`There is no ${entry} named '${quotedText(name)}'`,
				'Remove it, or use the name of one that exists. Nothing was sent.',
			);
		}
		const given: Given = (one) =>
			chosen(one, Object.hasOwn(value, one.name) ? value[one.name] : one.default);
		const shown = fields.filter(
			(one) => Object.hasOwn(value, one.name) && this.isShown(one, fields, given),
		);
		const sourceOf = (one: Field): string =>
			isRecord(raw) ? plainText(chosen(one, raw[one.name])) : '';
		const added = shown.filter((one) => !isLeftOut(given(one), whenEmpty, sourceOf(one)));
		if (added.length === 0 && noneSet !== undefined) throw noneSet();
		for (const one of shown) {
			// An empty value that was typed needs no warning.
			const isTyped = given(one) === '' && !sourceOf(one).startsWith('=');
			if (added.includes(one)) this.add(one, given(one), collection);
			else if (!isTyped) this.leftOut.push(one.displayName);
		}
	}

	private add(field: Field, given: unknown, collection?: Collection): void {
		const value = this.check(field, given, collection?.prefix);
		// A list is empty if an expression returned none, or if its last entry was removed.
		if (collection?.whenEmpty === 'leftOut' && Array.isArray(value) && value.length === 0) {
			this.leftOut.push(field.displayName);
			return;
		}
		this.values.set(field, value);
		if (collection !== undefined || field.required === true) this.entered.set(field, given);
		if (field.sent !== undefined) this.addToRequest(field, field.sent, value);
	}

	private addToRequest(field: Field, sent: Sent, value: unknown): void {
		if (sent.in === 'body' && sent.as in this.body) {
			throw new InputError(`${inQuotes(field)} is set in two ways: use only one of them`);
		}
		if (sent.in === 'path') this.id = String(value);
		else if (sent.in === 'query') this.query[sent.as] = String(value);
		else this.body[sent.as] = value as IDataObject[string];
	}

	private check<Value>(field: Field<Value>, value: unknown, prefix = ''): Value {
		const { timeZone, body } = this;
		return field.check(value, inQuotes(field, prefix), { timeZone, body });
	}

	/** n8n compares choices exactly: for `Partial` instead of `partial`, it drops the fields that only `partial` shows. */
	private refuseOtherCase(field: Field, value: unknown): void {
		const source = this.node.parameters[field.name];
		const isLiteral = typeof source === 'string' && !source.startsWith('=');
		if (field.type === 'options' && isLiteral && source !== value)
			throw notOfKind(source, inQuotes(field), `be ${String(value)}`);
	}

	/** True if the editor shows the field. n8n itself applies `hide`. */
	private isShown(
		{ displayOptions }: AnyField,
		beside: readonly AnyField[],
		given: Given,
	): boolean {
		return Object.entries(displayOptions?.show ?? {}).every(([name, allowed = []]) => {
			if (name === IS_TOOL) return (allowed as unknown[]).includes(isTool(this.node));
			const other = beside.find((field) => field.name === name);
			if (other === undefined || isCollection(other)) return true;
			const value: unknown = this.check(other, given(other));
			this.refuseOtherCase(other, value);
			return (allowed as unknown[]).includes(value);
		});
	}
}

const COLLECTION = 'be a collection of fields, as the editor creates it';

type Given = (field: Field) => unknown;

/** The ID in a resource locator, or any other value unchanged. Unlike n8n's `extractValue`, works in collections. */
function chosen({ type }: Field, value: unknown): unknown {
	const isChoice = type === 'resourceLocator' && isRecord(value) && 'mode' in value;
	return isChoice && 'value' in value ? value['value'] : value;
}

/** @param source the field's expression, or its literal value */
function isLeftOut(value: unknown, whenEmpty: Collection['whenEmpty'], source: string): boolean {
	const isBlank = isNothing(value) || (typeof value === 'string' && trimmed(value) === '');
	if (whenEmpty === 'refusedUnlessByModel') return isBlank && /\$fromAI\b/i.test(source);
	if (whenEmpty === 'leftOut') return isBlank;
	const isTyped = typeof value === 'string' && !source.startsWith('=');
	return whenEmpty === 'sentIfTyped' && isBlank && !isTyped;
}
