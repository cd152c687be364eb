import '../support/clock';
import { uuid } from '../support/operations';
import '../support/processedData';
import { refundOf, lenientService, refund, type RefundFate } from '../support/refunds';
import { failure, reset } from '../support/servers/http-server';
import { parametersOf, valueOf } from './example';

const { columns } = parametersOf('refund-with-approval.json', 'Not refunded');

const stateOf = ($json: object) => valueOf(columns.value['state'], { $json });

const A = uuid(1);

/** Approves one request twice. */
async function statesOf(fate: RefundFate) {
	const service = await lenientService({ [A]: 10_000 }, [fate]);
	const once = async () =>
		await refund(service, [refundOf(A)], {
			options: { idempotencyKey: 'ticket 1' },
			onError: 'continueRegularOutput',
		});
	const results = [await once(), await once()];
	return results
		.flatMap(({ json }) => json)
		.map((item) => ('error' in item ? stateOf(item) : 'refunded'));
}

/** The example recognizes the node's messages, so this test fails if they change. */
it.each<[string, RefundFate, string[]]>([
	['is lost', { answer: reset(), executed: false }, ['unknown', 'unknown']],
	['confirms it', 'well', ['refunded', 'not refunded']],
	['refuses it', { answer: failure(422, 'no'), executed: false }, ['not refunded', 'refunded']],
])('the table shows the state of a refund whose response %s', async (_what, fate, states) => {
	expect(await statesOf(fate)).toEqual(states);
});
