import { InputError } from '../../shared/errors/inputError';
import { textsOf } from '../../shared/errors/messageKind';
import type { Field } from '../../shared/fields/field';
import { oneOf, textThat } from '../../shared/fields/kinds';
import type { FieldValues } from '../../shared/fields/readFields';
import { checkText } from '../../shared/input/inputChecks';
import { KEY_MESSAGES } from './messages';

const MAX_KEY_LENGTH = 255;
const INVISIBLE = /[\p{C}\p{Z}]/gu;

/** Options of a write that n8n's own memory can keep from happening twice. In alphabetical order with their neighbours. */
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
		{
			name: 'Fail',
			value: 'fail',
			description: 'Send nothing and stop with an error that says what is known of the first time',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'Send nothing and return no item',
		},
	]),
	default: 'fail',
	description: 'What to do when the Idempotency Key was used before',
} as const satisfies Field<'fail' | 'skip'>;

/** What the user set about the Idempotency Key. */
export interface KeyOptions {
	readonly key: string;
	readonly onRepeatedKey: 'fail' | 'skip';
}

/** Undefined without the option. */
export function keyOptionsOf(values: FieldValues): KeyOptions | undefined {
	const key = values.of(idempotencyKeyField);
	const onRepeatedKey = values.orDefault(onRepeatedKeyField);
	return key === undefined ? undefined : { key, onRepeatedKey };
}

/** @throws {InputError} for a value that holds no key */
function checkKey(value: unknown, field: string): string {
	// A number that is none, or that has lost digits, would be the key of many items.
	const isLost = typeof value === 'number' && !Number.isSafeInteger(value);
	const isMissing = value === undefined || value === null || isLost;
	const key = isMissing ? '' : checkText(value, field, MAX_KEY_LENGTH).trim();
	if (key.replaceAll(INVISIBLE, '') === '')
		throw new InputError(...textsOf(KEY_MESSAGES.emptyKey, {}));
	return key;
}
