/** The modules whose data docs/messages.md and the table of answers in docs/writes.md are made of, without their ending. */
export const MESSAGE_SOURCES = {
	rules: 'nodes/shared/errors/failureRules',
	credentialTest: 'nodes/shared/errors/credentialTestRules',
	outcomes: 'nodes/shared/service/writeOutcome',
	writes: 'nodes/PaymentCollection/writes/messages',
	refunds: 'nodes/PaymentCollection/resources/charge/refund/messages',
};
