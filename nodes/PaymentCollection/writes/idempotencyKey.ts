import type { IDataObject } from 'n8n-workflow';
import { throwIfCancelled } from '../../shared/clock';
import { InputError, quoted, quotedText, ReportedError } from '../../shared/errors/reportedError';
import type { Field } from '../../shared/fields/field';
import { oneOf, textThat } from '../../shared/fields/kinds';
import { checkText, isNothing } from '../../shared/input/inputChecks';
import { redactText } from '../../shared/redaction/redactText';
import { asError } from '../../shared/values';
import type { Item } from '../run/item';
import { KeyMemory } from './keyMemory';
import { Queues } from './queues';

const MAX_KEY_LENGTH = 255;

/** Options of a write that n8n's own memory can keep from happening twice. */
export const idempotencyKeyField = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	...textThat(checkKey),
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'What this is done for: the ID of an order, an approval or a webhook delivery. n8n remembers the key for this node, and nothing is sent for it a second time, in no later execution either: On Repeated Key says what happens instead. It is free again only when nothing was carried out for it. Without a key, a step that is executed twice may do it twice.',
} as const satisfies Field<string>;

export const onRepeatedKeyField = {
	displayName: 'On Repeated Key',
	name: 'onRepeatedKey',
	...oneOf([
		{ name: 'Fail', value: 'fail', description: 'Send nothing and stop with an error' },
		{ name: 'Skip', value: 'skip', description: 'Send nothing and return no item' },
	]),
	default: 'fail',
	description: 'What to do when the Idempotency Key was used before',
} as const satisfies Field<'fail' | 'skip'>;

/** @throws {InputError} for a value that holds no key */
function checkKey(value: unknown, field: string): string {
	// Another number may have lost digits, and would be the key of many items.
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		throw new InputError(
			`${field} is ${quoted(value)}: as a number it must be a whole one of at most 15 digits`,
			'Give it as text. Nothing was sent.',
		);
	}
	const key = isNothing(value) ? '' : checkText(value, field, MAX_KEY_LENGTH).trim();
	const isInvisible = /^[\p{C}\p{Z}]*$/u.test(key);
	if (!isInvisible) return key;
	throw new InputError(
		'Idempotency Key is empty',
		'Give it a value, such as the ID of the order, or remove the option. Nothing was sent.',
	);
}

/** A key that was used before. Its message says by itself that nothing was sent, and nothing about the first time. */
export class RepeatedKey extends ReportedError {
	constructor(key: string) {
		super(
			`Idempotency Key “${quotedText(key)}” was used before: nothing was sent for it this time`,
			'What came of the first time is not known here: look in the payment collection service. To pass over such items without an error, set On Repeated Key to Skip. Use another key only for something that is to be done once more.',
		);
	}
}

/** By node and key. */
const queues = new Queues<string>();

/**
 * Does an item's write at most once for its Idempotency Key, if it has one, whatever execution asks. The key is claimed
 * before anything is sent, given back only when the write was certainly not carried out, and kept on success and when
 * that is unknown.
 *
 * @param mayBeCarriedOut after `send`: whether the request was carried out, or may have been
 * @returns the result, or nothing for a key that was used before and is to be skipped
 * @throws {RepeatedKey} for a key that was used before
 */
export async function oncePerKey(
	item: Item,
	send: () => Promise<IDataObject>,
	mayBeCarriedOut: () => boolean,
): Promise<IDataObject[]> {
	const { context, endpoint, values } = item;
	const key = values().of(idempotencyKeyField);
	if (key === undefined) return [await send()];
	const memory = KeyMemory.of(context);
	if (memory === undefined) {
		throw new ReportedError(
			'Idempotency Key can’t be used here: n8n offers no memory of keys',
			'Nothing was sent. Update n8n to 1.123 or newer, use version 3 or newer of the AI Agent node, or remove the option.',
		);
	}
	// The same key of two operations is two keys.
	const stored = `${endpoint.method} ${endpoint.path} ${key}`;
	const queue = `${String(context.getWorkflow().id)} ${context.getNode().id} ${stored}`;
	// Until the write that is under way for the key is through: refused, it gives the key back.
	return await queues.inTurn(queue, async () => {
		throwIfCancelled(item.transport.signal);
		const claim = await memory.claim(stored).catch(notRecorded);
		if (claim === undefined) {
			if (values().orDefault(onRepeatedKeyField) === 'skip') return [];
			throw new RepeatedKey(key);
		}
		// What came of the write is not to be lost when n8n's memory fails after it.
		return [
			await send().finally(async () => {
				const isUsed = mayBeCarriedOut();
				const settled = isUsed ? memory.keep(claim) : memory.release(claim);
				await settled.catch(() => context.logger.warn(isUsed ? NOT_CHECKED : NOT_GIVEN_BACK));
			}),
		];
	});
}

const NOT_CHECKED = 'The Idempotency Key of a write could not be checked again after it.';
const NOT_GIVEN_BACK =
	'An Idempotency Key could not be given back: it stays used, though nothing was carried out for it.';

/** Before anything was sent. */
function notRecorded(error: unknown): never {
	const reason = redactText(asError(error).message, '');
	throw new ReportedError(
		`n8n could not record the Idempotency Key: ${reason}`,
		'Nothing was sent. In a workflow that was never saved, save it first. The key may count as used from now on.',
	);
}
