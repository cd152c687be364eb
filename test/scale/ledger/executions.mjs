import { parse as parseFlatted } from 'flatted';

/**
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status
 * @property {'poll' | 'reconciling' | 'write' | 'unknown'} kind unknown: n8n keeps nothing of it
 * @property {string[]} events event_ids that it was to write
 */

/** @typedef {Record<'poll' | 'reconciling', string>} EventNodes the nodes whose output is written */

/**
 * @param {{ sql: import('../servers/cluster.mjs').Cluster['sql'], workflowId: string, nodes: EventNodes }} ledger
 * @returns {Promise<Execution[]>} all that n8n has
 */
export async function readExecutions({ sql, workflowId, nodes }) {
	const { rows } = await sql.query(
		`select id, status, case when "workflowId" = $1 then data end as data
		from execution_entity join execution_data on "executionId" = id order by id`,
		[workflowId],
	);
	return rows.map(({ id, status, data }) => ({
		id: String(id),
		status,
		...(data === null ? { kind: 'write', events: [] } : contentOf(data, nodes)),
	}));
}

/**
 * @param {string} data of an execution of the ledger
 * @param {EventNodes} nodes
 * @returns {Pick<Execution, 'kind' | 'events'>}
 */
function contentOf(data, nodes) {
	const { resultData, executionData } = parseFlatted(data);
	for (const kind of /** @type {const} */ (['poll', 'reconciling'])) {
		const runs = resultData?.runData?.[nodes[kind]];
		if (runs !== undefined) return { kind, events: eventsOf(runs[0]) };
	}
	// Of one that runs, n8n has what it was begun with.
	const begun = executionData?.nodeExecutionStack?.[0];
	if (begun?.node.name === nodes.poll) return { kind: 'poll', events: eventsOf(begun) };
	const isPoll = resultData?.lastNodeExecuted === nodes.poll;
	return { kind: isPoll ? 'poll' : 'unknown', events: [] };
}

/** @param {{ data?: { main?: { json: { event_id: string } }[][] } }} run */
const eventsOf = ({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json.event_id);
