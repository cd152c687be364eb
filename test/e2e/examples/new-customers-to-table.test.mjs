import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../../scripts/n8n-server/client/index.mjs';
import { everySeconds, importCopy, pollTimes } from '../support/examples/exampleCopy.mjs';
import { connect, startService } from '../support/session.mjs';
import { until } from '../support/until.mjs';

const { n8n } = connect();

const TRIGGER = 'Customer created';

test('each new customer becomes one row, also when delivered twice, and none that was there before', async (t) => {
	const { sandbox, credential } = await startService(n8n, { counts: { customers: 250 } });
	const table = await n8n.dataTable('payment_collection_customers');
	assert.ok(table);
	const rows = async () => await n8n.rowsOf(table);
	const flow = await importCopy(t, n8n, 'new-customers-to-table.json', {
		credential,
		parameters: { [TRIGGER]: { pollTimes: pollTimes(everySeconds(2)) } },
	});
	await flow.publish();
	// More than a page of the service.
	const customers = Array.from({ length: 105 }, () => sandbox.insertCustomer());
	await until(async () => assert.equal((await rows()).length, customers.length));
	await n8n.unpublish(flow.id);

	const [first] = (await flow.executions()).filter(({ mode }) => mode === 'trigger');
	const execution = await n8n.finishedExecution(first?.id ?? '');
	const [item = assert.fail('nothing was emitted')] = outputOf(execution, TRIGGER);
	const again = await flow.run(TRIGGER, { item });
	assert.equal(again.status, 'success', JSON.stringify(again.data.resultData.error));

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
