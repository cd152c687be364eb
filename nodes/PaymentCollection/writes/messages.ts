import { messageKind } from '../../shared/errors/messageKind';

/** What the node says of a write that is no success (a refund has its own messages). */
export const WRITE_MESSAGES = {
	unknown: messageKind<'what' | 'done' | 'came' | 'advice' | 'whereToLook'>({
		cause:
			'The request was sent, and neither a success nor a refusal came back: no answer, a broken connection, an HTTP status that leaves it open (docs/writes.md), or an answer that the service does not document.',
		message: ({ what, done, came }) =>
			`UNKNOWN whether the ${what} was ${done}: check before you retry. ${came}`,
		cure: ({ whereToLook, advice }) => `${advice} ${whereToLook}`,
	}),
	notCarriedOut: messageKind<'what' | 'done' | 'came' | 'advice'>({
		cause:
			'The service refused the request (an HTTP status that says so, see docs/writes.md), or could not be reached.',
		message: ({ what, done, came }) => `${came} – the ${what} was NOT ${done} by this request`,
		cure: ({ advice }) => advice,
	}),
	notSentAgain: messageKind<'what' | 'done' | 'came' | 'whereToLook'>({
		cause:
			'Retry On Fail has run the node again, and what became of the first try of this item is unknown. What may exist is not created a second time.',
		message: ({ what, done, came }) =>
			`UNKNOWN whether the ${what} was ${done}: check before you retry. It was sent in an earlier try and not again: ${came}`,
		cure: ({ whereToLook }) => whereToLook,
	}),
};

/** What the node says about an Idempotency Key. */
export const KEY_MESSAGES = {
	repeatedKey: messageKind<'key' | 'known'>({
		cause:
			'The Idempotency Key was used before by this node: in an earlier execution, in another one that runs at the same time, or by another item.',
		message: ({ key }) =>
			`Idempotency Key “${key}” was used before: nothing was sent for it this time`,
		cure: ({ known }) =>
			`${known} To pass over such items without an error, set On Repeated Key to Skip. Use another key only for something that is to be done once more.`,
	}),
	emptyKey: messageKind({
		cause:
			'Options → Idempotency Key was added and is empty, or its expression gives nothing for this item.',
		message: () => 'Idempotency Key is empty',
		cure: () =>
			'Give it a value, such as the ID of the order, or remove the option. Nothing was sent.',
	}),
	noMemory: messageKind({
		cause:
			'n8n’s memory of processed data is not there: n8n is older than 1.123, or an AI Agent of version 1 or 2 runs the node as a tool.',
		message: () => 'Idempotency Key can’t be used here: n8n offers no memory of keys',
		cure: () =>
			'Nothing was sent. Update n8n to 1.123 or newer, use version 3 or newer of the AI Agent node, or remove the option.',
	}),
	notRecorded: messageKind<'reason'>({
		cause: 'n8n’s database failed while the Idempotency Key was being recorded.',
		message: ({ reason }) => `n8n could not record the Idempotency Key: ${reason}`,
		cure: () =>
			'Nothing was sent. In a workflow that was never saved, save it first. The key may count as used from now on.',
	}),
};
