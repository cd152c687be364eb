import { REFUND_MESSAGES } from '../../nodes/PaymentCollection/resources/charge/refund/messages';
import { FIND_MESSAGES } from '../../nodes/PaymentCollection/run/findMessages';
import { KEY_MESSAGES, WRITE_MESSAGES } from '../../nodes/PaymentCollection/writes/messages';

describe('what the user is told to do', () => {
	it('never is to run a write again in one breath with that it is unknown', () => {
		const facts = new Proxy(
			{},
			{
				get: (_, name) => `‹${String(name)}›`,
			},
		);
		const kinds = { ...WRITE_MESSAGES, ...KEY_MESSAGES, ...REFUND_MESSAGES, ...FIND_MESSAGES };
		for (const { message, cure } of Object.values(kinds)) {
			if (!message(facts).startsWith('UNKNOWN')) continue;
			expect(`${message(facts)} ${cure(facts)}`).not.toMatch(
				/run (it |the workflow )?again to|On Error/,
			);
			expect(message(facts)).not.toMatch(/\bNOT\b/);
		}
	});
});
