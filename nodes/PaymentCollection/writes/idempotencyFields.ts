import type { INodeProperties } from 'n8n-workflow';

/** What to do with an Idempotency Key that was used before. */
export const REPEATED_KEY_CHOICES = ['fail', 'skip'] as const;

/** Options of a write that n8n's own memory can keep from happening twice. In alphabetical order with their neighbours. */
export const idempotencyKeyField: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'What this is done for: the ID of an order, an approval or a webhook delivery. n8n remembers the key for this node, and nothing is sent for it a second time, in no later execution either. It is free again only when the service refused.',
};

export const onRepeatedKeyField: INodeProperties = {
	displayName: 'On Repeated Key',
	name: 'onRepeatedKey',
	type: 'options',
	options: [
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
	],
	default: 'fail',
	description: 'What to do when the Idempotency Key was used before',
};
