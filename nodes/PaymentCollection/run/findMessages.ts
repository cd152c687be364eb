import { messageKind } from '../../shared/errors/messageKind';

/** What the node says of a charge or customer that its list does not give when it is asked for the ID alone. */
export const FIND_MESSAGES = {
	noRecord: messageKind<'what' | 'id'>({
		message: ({ what, id }) => `There is no ${what} with the ID ${id}`,
		cure: () =>
			'Nothing was changed. Check the ID, and whether it belongs to the account of the credential.',
	}),
	otherRecords: messageKind<'what' | 'id' | 'others'>({
		message: ({ what, id, others }) =>
			`The ${what} ${id} can’t be found: asked for this ID alone, the service gave ${others}`,
		cure: () =>
			'Nothing was changed. Check the ID. The service seems to ignore the ID filter of its list.',
	}),
	contradictoryRecord: messageKind<'what' | 'id'>({
		message: ({ what, id }) => `The service’s answers about ${what} ${id} contradict each other`,
		cure: () =>
			'Run again, in case it was changed just now. If that stays so, look at it in the payment collection service.',
	}),
};
