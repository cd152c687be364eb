import { messageKind } from '../../../../shared/errors/messageKind';

const CHECK_FIRST =
	'Running again is not safe before you know: look at the charge in the payment collection service, and set Expected Refund Total so that a second refund is refused.';

/** What the node says of a refund that is no success. */
export const REFUND_MESSAGES = {
	unknown: messageKind<'id' | 'came' | 'amount' | 'currency' | 'before' | 'seen' | 'until'>({
		message: ({ id, came }) =>
			`UNKNOWN whether charge ${id} was refunded: check before you retry. ${came}`,
		cure: ({ amount, currency, before, seen, until }) =>
			`The refund of ${amount} ${currency} was sent and may still be carried out; this run does not send it again. The charge was read again: ${seen}. Before it was sent, ${before} ${currency} was refunded. ${CHECK_FIRST} This n8n process sends no other refund of the charge before ${until}, unless the charge shows this one.`,
	}),
	noLongerKept: messageKind<'id'>({
		message: ({ id }) => `UNKNOWN whether charge ${id} was refunded: check before you retry`,
		cure: () =>
			`The refund was sent in an earlier try, and what came of it is no longer kept. It was not sent again. ${CHECK_FIRST}`,
	}),
	heldByEarlier: messageKind<'id' | 'earlier' | 'seen' | 'until'>({
		message: ({ id }) =>
			`NOT refunded: it is unknown whether an earlier refund of charge ${id} was carried out`,
		cure: ({ earlier, seen, until }) =>
			`The earlier refund of ${earlier} may still be carried out, and this one was not sent. The charge was read again: ${seen}. No refund of this charge is sent before ${until}, unless the charge shows the earlier one. Look at the charge in the payment collection service before you refund it again.`,
	}),
	earlierShown: messageKind<'id' | 'earlier' | 'refunded' | 'until'>({
		message: ({ id, earlier }) =>
			`NOT refunded: an earlier refund of ${earlier} of charge ${id}, whose outcome was unknown, was carried out`,
		cure: ({ refunded, until }) =>
			`The charge shows the earlier refund, and this one, of the same amount, was not sent. If as much is to be refunded once more, set Expected Refund Total to ${refunded}, or run again after ${until}. To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	refused: messageKind<'id' | 'came' | 'advice'>({
		message: ({ id, came }) => `${came} – charge ${id} was NOT refunded`,
		cure: ({ advice }) => advice,
	}),
	changedMeanwhile: messageKind<'id'>({
		message: ({ id }) =>
			`NOT refunded: somebody else refunded charge ${id} while the service asked to wait`,
		cure: () => 'Look at the charge before you run this again.',
	}),
	alreadyRefunded: messageKind<'id' | 'refunded' | 'currency' | 'expected' | 'lag'>({
		message: ({ id, refunded, currency, expected }) =>
			`NOT refunded: ${refunded} ${currency} of charge ${id} is refunded already, not ${expected} as expected`,
		cure: ({ lag }) =>
			`Somebody refunded in the meantime, perhaps an earlier run of this workflow. No refund was sent.${lag} To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	moreThanLeft: messageKind<'id' | 'amount' | 'currency' | 'left' | 'total' | 'refunded' | 'lag'>({
		message: ({ amount, currency, left }) =>
			`Amount is ${amount} ${currency}: more than the ${left} ${currency} that are left to refund`,
		cure: ({ id, total, refunded, lag }) =>
			`Charge ${id} has a total of ${total}, and ${refunded} is refunded already.${lag} No refund was sent.`,
	}),
	aboveMaximum: messageKind<'amount' | 'maximum'>({
		message: ({ amount, maximum }) =>
			`Amount is ${amount}: more than the Maximum Amount of ${maximum}`,
		cure: () => 'No refund was sent. Lower Amount, or raise Options → Maximum Amount.',
	}),
	restAboveMaximum: messageKind<'left' | 'currency' | 'maximum'>({
		message: ({ left, currency, maximum }) =>
			`All that is left is ${left} ${currency}: more than the Maximum Amount of ${maximum}`,
		cure: () =>
			'No refund was sent. Raise Options → Maximum Amount, or refund a part of the charge.',
	}),
	nothingLeft: messageKind<'id' | 'currency' | 'total' | 'refunded' | 'lag'>({
		message: ({ id }) => `NOT refunded: nothing is left to refund of charge ${id}`,
		cure: ({ currency, total, refunded, lag }) =>
			`It has a total of ${total} ${currency}, and ${refunded} is refunded already.${lag} No refund was sent. To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	contradictoryCharge: messageKind<'id'>({
		message: ({ id }) =>
			`The service’s answers about charge ${id} contradict each other, so what is left to refund is not known`,
		cure: () => 'Look at the charge in the payment collection service, and refund it there.',
	}),
	unreadableCharge: messageKind<'id' | 'field'>({
		message: ({ id, field }) =>
			`The ${field} of charge ${id} can’t be read, so what is left to refund is not known`,
		cure: () => 'No refund was sent. Refund this charge in the payment collection service itself.',
	}),
};
