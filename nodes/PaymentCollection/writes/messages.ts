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
