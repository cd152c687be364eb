import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { everySeconds, pollTimes } from '../support/examples/exampleCopy.mjs';
import { n8n, startExample } from '../support/session.mjs';
import { until } from '../support/until.mjs';

const TRIGGER = 'Customer created';

test('each new customer becomes one row, even if delivered twice, and no older customer does', async (t) => {
	const { sandbox, flow } = await startExample(
		t,
		'new-customers-to-table.json',
		{ counts: { customers: 250 } },
		{ parameters: { [TRIGGER]: { pollTimes: pollTimes(everySeconds(2)) } } },
	);
	const rows = async () => await n8n.rowsOf('payment_collection_customers');
	await flow.publish();
	// More than a page of the service.
	const customers = Array.from({ length: 105 }, () => sandbox.insertCustomer());
	await until(async () => assert.equal((await rows()).length, customers.length));
	await n8n.unpublish(flow.id);

	const [first] = (await flow.executions()).filter(({ mode }) => mode === 'trigger');
	const execution = await n8n.finishedExecution(first?.id ?? '');
	const [item = assert.fail('nothing was emitted')] = outputOf(execution, TRIGGER);
	await flow.succeed(TRIGGER, item);

	const known = (/** @type {Record<string, unknown>} */ row) => [
		...[row['customer_id'], row['event_id'], row['first_name'], row['email'], row['city']],
	];
	assert.deepEqual(
		(await rows()).map(known).sort(),
		customers
			.map(({ id, first_name, email, city }) => [
				...[id, `customer.created:${id}`, first_name, email, city],
			])
			.sort(),
	);
});
