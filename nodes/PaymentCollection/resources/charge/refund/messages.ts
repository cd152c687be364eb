import { messageKind } from '../../../../shared/errors/messageKind';

const CHECK_FIRST =
	'Running again is not safe before you know: look at the charge in the payment collection service, and set Expected Refund Total so that a second refund is refused.';

/** What the node says of a refund that is no success. */
export const REFUND_MESSAGES = {
	unknown: messageKind<'id' | 'came' | 'amount' | 'currency' | 'before' | 'seen' | 'until'>({
		cause:
			'The refund was sent, and neither a confirmation nor a refusal came back. The charge, read again, does not show the refund.',
		message: ({ id, came }) =>
			`UNKNOWN whether charge ${id} was refunded: check before you retry. ${came}`,
		cure: ({ amount, currency, before, seen, until }) =>
			`The refund of ${amount} ${currency} was sent and may still be carried out; this run does not send it again. The charge was read again: ${seen}. Before it was sent, ${before} ${currency} was refunded. ${CHECK_FIRST} This n8n process sends no other refund of the charge before ${until}, unless the charge shows this one.`,
	}),
	noLongerKept: messageKind<'id'>({
		cause:
			'Retry On Fail has run the node again after more than an hour or many thousands of writes, so that the result of the first try is gone.',
		message: ({ id }) => `UNKNOWN whether charge ${id} was refunded: check before you retry`,
		cure: () =>
			`The refund was sent in an earlier try, and what came of it is no longer kept. It was not sent again. ${CHECK_FIRST}`,
	}),
	heldByEarlier: messageKind<'id' | 'earlier' | 'seen' | 'until'>({
		cause:
			'An earlier refund of the same charge, of any execution in this n8n process, has an unknown outcome. With a second one, more might be refunded than anybody asked for.',
		message: ({ id }) =>
			`NOT refunded: it is unknown whether an earlier refund of charge ${id} was carried out`,
		cure: ({ earlier, seen, until }) =>
			`The earlier refund of ${earlier} may still be carried out, and this one was not sent. The charge was read again: ${seen}. No refund of this charge is sent before ${until}, unless the charge shows the earlier one. Look at the charge in the payment collection service before you refund it again.`,
	}),
	earlierShown: messageKind<'id' | 'earlier' | 'refunded' | 'until'>({
		cause:
			'An earlier refund of the same charge and amount, of another run in this n8n process, had an unknown outcome, and the charge shows it now. Whoever asks for as much again within ten minutes most likely means the first one.',
		message: ({ id, earlier }) =>
			`NOT refunded: an earlier refund of ${earlier} of charge ${id}, whose outcome was unknown, was carried out`,
		cure: ({ refunded, until }) =>
			`The charge shows the earlier refund, and this one, of the same amount, was not sent. If as much is to be refunded once more, set Expected Refund Total to ${refunded}, or run again after ${until}. To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	refused: messageKind<'id' | 'came' | 'advice'>({
		cause:
			'The service refused the refund (an HTTP status that says so, see docs/writes.md), and the charge does not show it.',
		message: ({ id, came }) => `${came} – charge ${id} was NOT refunded`,
		cure: ({ advice }) => advice,
	}),
	changedMeanwhile: messageKind<'id'>({
		cause:
			'The service asked to wait (HTTP 429), and somebody else refunded the charge during the wait.',
		message: ({ id }) =>
			`NOT refunded: somebody else refunded charge ${id} while the service asked to wait`,
		cure: () => 'Look at the charge before you run this again.',
	}),
	alreadyRefunded: messageKind<'id' | 'refunded' | 'currency' | 'expected' | 'lag'>({
		cause: 'The refund total of the charge is not Expected Refund Total.',
		message: ({ id, refunded, currency, expected }) =>
			`NOT refunded: ${refunded} ${currency} of charge ${id} is refunded already, not ${expected} as expected`,
		cure: ({ lag }) =>
			`Somebody refunded in the meantime, perhaps an earlier run of this workflow. No refund was sent.${lag} To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	moreThanLeft: messageKind<'id' | 'amount' | 'currency' | 'left' | 'total' | 'refunded' | 'lag'>({
		cause: 'Amount is more than the charge’s total minus its refund total.',
		message: ({ amount, currency, left }) =>
			`Amount is ${amount} ${currency}: more than the ${left} ${currency} that are left to refund`,
		cure: ({ id, total, refunded, lag }) =>
			`Charge ${id} has a total of ${total}, and ${refunded} is refunded already.${lag} No refund was sent.`,
	}),
	aboveMaximum: messageKind<'amount' | 'maximum'>({
		cause: 'Amount is more than Maximum Amount.',
		message: ({ amount, maximum }) =>
			`Amount is ${amount}: more than the Maximum Amount of ${maximum}`,
		cure: () => 'No refund was sent. Lower Amount, or raise Options → Maximum Amount.',
	}),
	restAboveMaximum: messageKind<'left' | 'currency' | 'maximum'>({
		cause: 'The refund is in full, and all that is left of the charge is more than Maximum Amount.',
		message: ({ left, currency, maximum }) =>
			`All that is left is ${left} ${currency}: more than the Maximum Amount of ${maximum}`,
		cure: () =>
			'No refund was sent. Raise Options → Maximum Amount, or refund a part of the charge.',
	}),
	nothingLeft: messageKind<'id' | 'currency' | 'total' | 'refunded' | 'lag'>({
		cause: 'The refund is in full, and the charge’s refund total has reached its total.',
		message: ({ id }) => `NOT refunded: nothing is left to refund of charge ${id}`,
		cure: ({ currency, total, refunded, lag }) =>
			`It has a total of ${total} ${currency}, and ${refunded} is refunded already.${lag} No refund was sent. To go on with the charge as it is, set On Already Refunded to Return Existing.`,
	}),
	contradictoryCharge: messageKind<'id'>({
		cause:
			'The service’s charge list, asked for this ID, gave the charge more than once, with different totals, refund totals or currencies.',
		message: ({ id }) =>
			`The service’s answers about charge ${id} contradict each other, so what is left to refund is not known`,
		cure: () => 'Look at the charge in the payment collection service, and refund it there.',
	}),
	unreadableCharge: messageKind<'id' | 'field'>({
		cause:
			'total or refund_total of the charge is no plain decimal number, or refund_total is missing while the charge has refund records that can’t be read.',
		message: ({ id, field }) =>
			`The ${field} of charge ${id} can’t be read, so what is left to refund is not known`,
		cure: () => 'No refund was sent. Refund this charge in the payment collection service itself.',
	}),
};
