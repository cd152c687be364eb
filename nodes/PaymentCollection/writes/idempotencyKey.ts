import type { IDataObject } from 'n8n-workflow';
import { throwIfCancelled } from '../../shared/clock';
import { InputError, quoted, quotedText, ReportedError } from '../../shared/errors/reportedError';
import type { Field } from '../../shared/fields/field';
import { oneOf, textThat } from '../../shared/fields/kinds';
import { checkText, isNothing } from '../../shared/input/inputChecks';
import { redactText } from '../../shared/redaction/redactText';
import { logWarning, type ItemContext } from '../../shared/n8nAdapter';
import { asError, asSeen, hashOf, isRecord, nodeKey, onePer, plainText } from '../../shared/values';
import { KeyMemory } from './keyMemory';
import { Queues } from './queues';
import { sentWrites } from './sentWrites';
import type { AnyItem, WriteDefinition, WriteId } from '../operation';

const MAX_KEY_LENGTH = 255;

export const idempotencyKeyField = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	...textThat(checkKey),
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		"Unique ID for this refund or link, such as an order number, or a return number if an order can have several refunds. n8n remembers it for this node. If it comes again, even in a later execution, nothing is sent, and 'On Repeated Key' decides what happens. It can be used again only if it is certain that nothing was carried out. Without a key, running this step twice can refund or create twice.",
} as const satisfies Field<string>;

const onRepeatedKeyField = {
	displayName: 'On Repeated Key',
	name: 'onRepeatedKey',
	...oneOf([
		{ name: 'Fail', value: 'fail', description: 'Send nothing and stop with an error' },
		{
			name: 'Skip',
			value: 'skip',
			description:
				"Send nothing and return no item. Inside a Loop Over Items loop, turn on 'Always Output Data' in the settings of this node: without an item, the loop ends.",
		},
	]),
	default: 'fail',
	description:
		"What to do when the 'Idempotency Key' was used before for the same thing. A key that was used for something else always fails.",
} as const satisfies Field<'fail' | 'skip'>;

export const keyFields: readonly Field[] = [idempotencyKeyField, onRepeatedKeyField];

/** The part of a request that a key stands for: with any other, a key that was used is refused. */
export interface KeyContent<Asked> {
	/** Names the content in messages. Example: "the charge and the amount of a refund". */
	readonly standsFor: string;
	readonly binds: (asked: Asked) => unknown;
}

function checkKey(value: unknown, label: string): string {
	// A longer number may have lost digits, so that several items would share a key.
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new InputError(
			`${label} is ${quoted(value)}: a number must be whole and have at most 15 digits`,
			'Enter it as text. Nothing was sent.',
		);
	}
	const text = isNothing(value) ? '' : checkText(value, label);
	const key = checkText(comparable(text), label, MAX_KEY_LENGTH);
	if (/[^\p{C}\p{Z}]/u.test(key)) return key;
	throw new InputError(
		`${label} is empty`,
		'Enter a value, such as the ID of the order, or remove the option. Nothing was sent.',
	);
}

/** The form in which keys are compared. Normalizing an overlong key can take seconds, so it is left as it is, and refused. */
function comparable(text: string): string {
	const seen = asSeen(text.replace(/\s+/g, ' '));
	return seen.length > 4 * MAX_KEY_LENGTH ? seen : seen.normalize('NFC');
}

/** @param known says whether the earlier request was carried out */
const repeatedKey = (key: string, known: string, advice: string): ReportedError =>
	new ReportedError(
		`'Idempotency Key' “${quotedText(key)}” was used before: nothing was sent for it this time. ${known}`,
		`${advice}Use a different key only if you want to do it again.`,
		{ outcome: 'notCarriedOut' },
	);

const SKIP = "To skip such items without an error, set 'Options → On Repeated Key' to 'Skip'. ";
const HALF =
	'Part of the key’s expression returned no value, so several items might have this key: correct it';

const IN_DOUBT = 'It is in doubt whether the earlier request was carried out: check the service';

/** The key's expression without its `=`. A literal key loses a character, but {@link isHalf} reads only texts with {{. */
function expressionOf(context: ItemContext): string {
	const options: unknown = context.getNode().parameters['options'];
	return isRecord(options) ? plainText(options[idempotencyKeyField.name]).slice(1) : '';
}

/**
 * True if a part of the key's expression seems to have returned no value. For `{{ a }}-{{ b }}`, it is true for `7-`, `-8` and
 * `78`, and false for `7-8` and for `1-2-`, whose second value can be `2-`. A single pattern of all parts could run for hours.
 */
export function isHalf(expression: string, key: string): boolean {
	const dense = (text: string): string => comparable(text).replaceAll(' ', '');
	const text = dense(key);
	const [first = '', ...parts] = expression.split(/\{\{[^]*?(?:\}\}|$)/).map(dense);
	const last = parts.pop();
	if (last === undefined) return false;
	if (!text.startsWith(first) || !text.endsWith(last)) return true;
	let end = first.length;
	for (const part of parts) {
		// A value of at least one character comes before it.
		const start = text.indexOf(part, end + 1);
		if (start === -1) return true;
		end = start + part.length;
	}
	return text.length - last.length <= end;
}

/** Nodes don't share keys. */
const withinNode = ({ context }: AnyItem, key: string): string => `${nodeKey(context)} ${key}`;

export function keyInNode(item: AnyItem): string | undefined {
	const key = item.values().of(idempotencyKeyField);
	return key === undefined ? undefined : withinNode(item, key);
}

/** Index of the item that used each key in a run. */
const itemsByKey = onePer(() => new Map<string, number>());

/** The newest results for keys of all nodes, in words: n8n's memory has no room for them. */
const resultTexts = new Map<string, string>();
const MAX_RESULT_TEXTS = 10_000;

function noteResult(keyAndContent: string, effect = ''): void {
	resultTexts.set(keyAndContent, effect && ` (${effect})`);
	const [oldest = keyAndContent] = resultTexts.keys();
	if (resultTexts.size > MAX_RESULT_TEXTS) resultTexts.delete(oldest);
}

const queues = new Queues<string>();

/**
 * Does an item's write at most once for its Idempotency Key, if it has one, over all executions. The key is claimed before
 * anything is sent, and released only if the write was certainly not carried out.
 *
 * @param id under which `send` notes that the write may be carried out
 * @returns undefined for a repeated key that is to be skipped
 * @throws {ReportedError} for a repeated key; {@link InputError} for a key that was used for something else
 */
export async function oncePerKey<Asked>(
	item: AnyItem,
	id: WriteId,
	{ binds, standsFor, describeEffect }: KeyContent<Asked> & Pick<WriteDefinition, 'describeEffect'>,
	asked: Asked,
	send: () => Promise<IDataObject>,
): Promise<IDataObject | undefined> {
	const { context, endpoint, values } = item;
	const key = values().of(idempotencyKeyField);
	if (key === undefined) return await send();
	const keys = KeyMemory.of(context);
	if (keys === undefined) {
		throw new ReportedError(
			"'Idempotency Key' can’t be used here: n8n can’t store keys if this tool is run alone ('Execute step'), or is a tool of an MCP Server Trigger, of n8n’s Agents, or of an AI Agent or AI Agent Tool before version 3",
			"Nothing was sent. To test a tool of a newer agent, send the agent a chat message. Otherwise, put this node and its key into a sub-workflow and use that as the tool, or remove the option. For a refund, you can set 'Expected Refund Total' yourself instead.",
		);
	}
	// Operations don't share keys.
	const operationKey = `${endpoint.method} ${endpoint.path} ${key}`;
	const fullKey = withinNode(item, operationKey);
	const content = hashOf(binds(asked));
	// Waits for a write in progress with this key: if that is refused, it releases the key.
	return await queues.inTurn(fullKey, async () => {
		throwIfCancelled(item.transport.signal);
		const claim = await keys.claim(operationKey, content).catch(notRecorded);
		if (typeof claim === 'string') {
			const keyItem = itemsByKey(id.run).get(operationKey);
			const place = keyItem === undefined ? 'earlier' : `in this run, for item ${keyItem + 1}`;
			if (claim === 'otherContent') throw otherContent(key, place, standsFor);
			const isDone = claim === 'done';
			const effect = resultTexts.get(fullKey + content) ?? '';
			const known = isDone ? `The request was carried out ${place}${effect}` : IN_DOUBT;
			if (isHalf(expressionOf(context), key)) throw repeatedKey(key, `${known}. ${HALF}`, '');
			const isSkipped = values().orDefault(onRepeatedKeyField) === 'skip';
			// Without an item, a model would get an empty answer.
			if (!isSkipped || item.isTool) throw repeatedKey(key, known, item.isTool ? '' : SKIP);
			if (!isDone)
				item.warn(`'Idempotency Key' “${quotedText(key)}” was used before. ${IN_DOUBT}.`);
			return undefined;
		}
		try {
			return await send();
		} finally {
			// `send` has noted nothing if the write did not go out, or was certainly not carried out.
			const noted = sentWrites.recall(id);
			if (noted !== undefined) itemsByKey(id.run).set(operationKey, item.index);
			const isDone = noted?.state === 'carriedOut';
			if (isDone) noteResult(fullKey + content, describeEffect(noted.result));
			const settled = noted ? keys.settle(claim, isDone) : keys.release(claim);
			// A failure of n8n's memory must not hide the outcome of the write.
			await settled.catch(() => logWarning(context, noted ? NOT_SETTLED : NOT_RELEASED));
		}
	});
}

const otherContent = (key: string, place: string, standsFor: string): InputError =>
	new InputError(
		`'Idempotency Key' “${quotedText(key)}” was used for something else ${place}: nothing was sent for it this time`,
		`A key stands for one thing: ${standsFor}. Give each one its own key, such as the order or return number. If its expression returns no value, all items get the same key.`,
	);

const NOT_SETTLED =
	"n8n could not check an 'Idempotency Key' again after its request was sent: a later run with this key might say that it is in doubt, or send the request again.";
const NOT_RELEASED =
	"n8n could not release an 'Idempotency Key', although nothing was carried out for it: to try again, use a different key.";

function notRecorded(error: unknown): never {
	const reason = redactText(asError(error).message, '');
	throw new ReportedError(
		`n8n could not store the idempotency key: ${reason}`,
		'Nothing was sent. If the workflow was never saved, save it, then run it again. If the key then counts as used, use a different one.',
	);
}
