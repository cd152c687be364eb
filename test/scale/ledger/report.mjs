/** What a run says at its end. */

/** @typedef {import('./executions.mjs').Execution} Execution */
/** @typedef {import('./truth.mjs').EventRow} EventRow */
/** @typedef {import('./truth.mjs').Comparison} Comparison */
/** @typedef {ReturnType<typeof import('../load/keyedWrites.mjs').carriedOut>} CarriedOut */

const SHOWN = 10;

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(each: T) => string} name
 * @returns {string} how many there are of each name
 */
function counts(list, name) {
	/** @type {Map<string, number>} */
	const found = new Map();
	for (const each of list) found.set(name(each), (found.get(name(each)) ?? 0) + 1);
	return [...found].map(([key, count]) => `${count} ${key}`).join(', ');
}

/** @param {Execution[]} executions */
const eventsOf = (executions) => executions.flatMap(({ events }) => events);

/**
 * @param {object} options
 * @param {Execution[]} options.executions
 * @param {EventRow[]} options.rows
 * @param {Map<string, Execution>} options.interrupted
 * @param {Record<string, number>} options.endedByThemselves
 */
export function reportExecutions({ executions, rows, interrupted, endedByThemselves }) {
	console.log(`Executions: ${counts(executions, ({ kind, status }) => `${kind} ${status}`)}`);
	const cut = executions.filter(({ id }) => interrupted.has(id));
	console.log(
		`In whose middle a worker was killed: ${counts(cut, ({ kind, status }) => `${kind} ${status}`)}, with ${eventsOf(cut).length} events`,
	);
	const delivered = new Set(
		eventsOf(executions.filter(({ kind, status }) => kind === 'poll' && status === 'success')),
	);
	const late = rows.filter(({ event_id }) => !delivered.has(event_id));
	console.log(
		`Rows that only reconciling wrote: ${late.length} (${counts(late, ({ event }) => event)})`,
	);
	console.log(`Ended by themselves and started again: ${JSON.stringify(endedByThemselves)}`);
}

/**
 * What docs/scale.md reckons with.
 *
 * @param {import('../servers/cluster.mjs').Cluster['sql']} sql
 * @param {{ state: unknown, requests: number }} facts state: the trigger's; requests: to the service
 */
export async function reportSizes(sql, { state, requests }) {
	const { rows } = await sql.query(
		`select pg_total_relation_size('payment_ledger') / (select count(*) from payment_ledger) as ledger,
		(pg_total_relation_size('execution_data') + pg_total_relation_size('execution_entity'))
			/ (select count(*) from execution_entity) as execution,
		(select avg(pg_column_size(data))::int from execution_data) as data`,
	);
	const [{ ledger, execution, data }] = rows;
	console.log(
		`Sizes: ${ledger} bytes for each row of the ledger, ${execution} for each execution (its data ${data}), ${JSON.stringify(state).length} for the trigger's state; ${requests} requests to the service`,
	);
}

/**
 * @param {object} options
 * @param {import('./truth.mjs').Truth} options.truth
 * @param {Comparison} options.comparison
 * @param {Execution[]} options.executions
 * @param {number} options.kills
 * @returns {boolean} whether the ledger is right
 */
export function reportLedger({ truth, comparison, executions, kills }) {
	for (const [name, ids] of Object.entries(comparison))
		for (const id of ids.slice(0, SHOWN)) console.log(`${name}: ${id}`);
	const count = (/** @type {string} */ name) =>
		truth.bookings.filter(({ kind }) => kind === name).length;
	const polled = eventsOf(executions.filter(({ kind }) => kind === 'poll'));
	const all = eventsOf(executions);
	const { missing, repeated, wrong, unknown } = comparison;
	console.log(
		[
			`Ledger: ${count('charge')} charges`,
			`${count('refund')} refunds`,
			`${truth.lastStatuses.size} statuses`,
			`${executions.length} executions`,
			`${kills} kills`,
			`${polled.length - new Set(polled).size} events delivered twice by the trigger`,
			`${all.length - new Set(all).size} with reconciling (de-duplicated by event_id)`,
			`missing ${missing.length}`,
			`repeated ${repeated.length}`,
			`wrong ${wrong.length}`,
			`unknown ${unknown.length}`,
		].join(', '),
	);
	return Object.values(comparison).every(({ length }) => length === 0);
}

/**
 * @param {CarriedOut} writes
 * @returns {boolean} whether each key was carried out once at most, and each that was answered as done is done
 */
export function reportWrites(writes) {
	const repeated = writes.filter(({ times }) => times > 1);
	const missing = writes.filter(
		({ times, request }) => times === 0 && request.deliveries.some(({ isDone }) => isDone),
	);
	for (const { request, times } of [...repeated, ...missing].slice(0, SHOWN))
		console.log(`carried out ${times} times: ${JSON.stringify(request)}`);
	const deliveries = writes.flatMap(({ request }) => request.deliveries);
	const answered = counts(deliveries, ({ status, isDone }) =>
		isDone ? 'done' : status === undefined ? 'not answered' : `HTTP ${status}`,
	);
	console.log(
		[
			`Keyed writes: ${writes.length} keys`,
			`${deliveries.length} deliveries (${answered})`,
			`${writes.filter(({ times }) => times > 0).length} carried out`,
			`missing ${missing.length}`,
			`repeated ${repeated.length}`,
		].join(', '),
	);
	return repeated.length === 0 && missing.length === 0;
}
