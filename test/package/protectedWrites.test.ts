import { ENDPOINTS } from '../../contract/constants';
import type { OperationDefinition, RunOperation } from '../../nodes/PaymentCollection/operation';
import { refund } from '../../nodes/PaymentCollection/resources/charge/refund';
import { getRecord } from '../../nodes/PaymentCollection/run/oneRecord';
import { openTransport } from '../../nodes/shared/service/transport';

/** `npm run typecheck` fails where an expected error is missing. */
it('a write that is not protected against a second attempt does not compile', () => {
	const { run, write, endpoint, ...shown } = refund;
	const complete: OperationDefinition = { ...shown, endpoint, run, write };
	// @ts-expect-error The run of a write comes from writes/onceOnly.ts.
	const otherRun: OperationDefinition = { ...shown, endpoint, write, run: getRecord };
	// @ts-expect-error A write says what it is.
	const withoutTexts: OperationDefinition = { ...shown, endpoint, run };
	// @ts-expect-error An endpoint that is no GET belongs to a write.
	const asRead: OperationDefinition = { ...shown, endpoint: ENDPOINTS.linkEdit, run: getRecord };
	// @ts-expect-error A read has no outcome to protect.
	const read: OperationDefinition = { ...shown, endpoint: ENDPOINTS.linkGet, run, write };
	expect([complete, otherRun, withoutTexts, asRead, read]).toHaveLength(5);
});

it('a read that sends a write does not compile', () => {
	const sends: RunOperation = async ({ transport }) => [
		// @ts-expect-error The transport of a read takes GET endpoints only.
		await transport.send({ endpoint: ENDPOINTS.chargeRefund, id: '1', body: { amount: '1.00' } }),
	];
	const opens: RunOperation = async ({ context }) => [
		// @ts-expect-error Neither does a transport of its own.
		await (await openTransport(context)).send({ endpoint: ENDPOINTS.linkDelete, id: '1' }),
	];
	expect([sends, opens]).toHaveLength(2);
});
