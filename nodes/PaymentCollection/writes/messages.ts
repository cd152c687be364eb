import { messageKind } from '../../shared/messageKind';

/** What the node says of a write to a link that is no success. */
export const LINK_WRITE_MESSAGES = {
	unknown: messageKind<'done' | 'came' | 'advice' | 'whereToLook'>({
		cause:
			'The request was sent, and neither a success nor a refusal came back: no answer, a broken connection, HTTP 408, 3xx or 5xx, or an answer that the service does not document.',
		message: ({ done, came }) =>
			`UNKNOWN whether the link was ${done}: check before you retry. ${came}`,
		cure: ({ whereToLook, advice }) => `${advice} ${whereToLook}`,
	}),
	notCarriedOut: messageKind<'done' | 'came' | 'advice'>({
		cause: 'The service refused the request (HTTP 4xx other than 408), or could not be reached.',
		message: ({ done, came }) => `${came} – the link was NOT ${done}`,
		cure: ({ advice }) => advice,
	}),
	notSentAgain: messageKind<'done' | 'came' | 'whereToLook'>({
		cause:
			'Retry On Fail has run the node again, and what became of the first try of this item is unknown. A link that may exist is not created a second time.',
		message: ({ done, came }) =>
			`UNKNOWN whether the link was ${done}: check before you retry. It was sent in an earlier try and not again: ${came}`,
		cure: ({ whereToLook }) => whereToLook,
	}),
};
