import { messageKind } from '../../shared/errors/messageKind';

/** What the node says of a write that is no success (a refund has its own messages). */
export const WRITE_MESSAGES = {
	unknown: messageKind<'what' | 'done' | 'came' | 'advice' | 'whereToLook'>({
		message: ({ what, done, came }) =>
			`UNKNOWN whether the ${what} was ${done}: check before you retry. ${came}`,
		cure: ({ whereToLook, advice }) => `${advice} ${whereToLook}`,
	}),
	notCarriedOut: messageKind<'what' | 'done' | 'came' | 'advice'>({
		message: ({ what, done, came }) => `${came} – the ${what} was NOT ${done} by this request`,
		cure: ({ advice }) => advice,
	}),
	notSentAgain: messageKind<'what' | 'done' | 'came' | 'whereToLook'>({
		message: ({ what, done, came }) =>
			`UNKNOWN whether the ${what} was ${done}: check before you retry. It was sent in an earlier try and not again: ${came}`,
		cure: ({ whereToLook }) => whereToLook,
	}),
};

/** What the node says about an Idempotency Key. */
export const KEY_MESSAGES = {
	repeatedKey: messageKind<'key' | 'known'>({
		message: ({ key }) =>
			`Idempotency Key “${key}” was used before: nothing was sent for it this time`,
		cure: ({ known }) =>
			`${known} To pass over such items without an error, set On Repeated Key to Skip. Use another key only for something that is to be done once more.`,
	}),
	emptyKey: messageKind({
		message: () => 'Idempotency Key is empty',
		cure: () =>
			'Give it a value, such as the ID of the order, or remove the option. Nothing was sent.',
	}),
	noMemory: messageKind({
		message: () => 'Idempotency Key can’t be used here: n8n offers no memory of keys',
		cure: () =>
			'Nothing was sent. Update n8n to 1.123 or newer, use version 3 or newer of the AI Agent node, or remove the option.',
	}),
	notRecorded: messageKind<'reason'>({
		message: ({ reason }) => `n8n could not record the Idempotency Key: ${reason}`,
		cure: () =>
			'Nothing was sent. In a workflow that was never saved, save it first. The key may count as used from now on.',
	}),
};
