import { textOf } from '../n8n/deliveries';
import { isUnsteady } from './doubts';
import type { Oracle } from './oracle';
import type { PollResult } from '../n8n/poll';
import { isTransient } from '../service/answers';
import { isCounted } from '../service/traits';
import type { Verdict } from './verdict';

const MAX_STATE_BYTES = 256_000;
/** Pages that a baseline may look at besides, and some for looking twice. */
const SPARE_REQUESTS = 110;
/** Of a list without a count whose rows move: only the most that a poll may read ends a reading (docs/trigger.md). */
const SPARE_REQUESTS_IN_MOTION = 170;
/** Where one answer knows of more than the next one, much is asked for again. */
const MOST_REQUESTS = 400;

/** Laws 4 and 5, of one poll. */
export function checkPoll(
	result: PollResult,
	oracle: Oracle,
	polls: number,
	verdict: Verdict,
): void {
	const { items, requests, stateBytes, end, error } = result;
	const { settings, service } = oracle;
	const created = items.filter(({ event }) => event === 'charge.created').length;
	if (created > settings.maxCharges) verdict.unbounded.push(`${created} charges`);
	if (stateBytes >= MAX_STATE_BYTES) verdict.unbounded.push(`${stateBytes} bytes`);
	// The window and the whole list once each, and a page again where it did not hold what was looked for.
	const isInMotion = !isCounted(service.lists) && isUnsteady(service);
	const spare = isInMotion ? SPARE_REQUESTS_IN_MOTION : SPARE_REQUESTS;
	const hasReplicas = service.lists.quirk?.kind === 'replicas';
	const most = polls * (hasReplicas ? MOST_REQUESTS : 3 * oracle.pages() + spare);
	if (requests > most) verdict.unbounded.push(`${requests} requests`);
	if (end === 'items' && items.length === 0) verdict.stuck.push('an execution without items');
	if (end === 'threw' && result.kind === 'activation') {
		const isPermanent = service.faults.some(({ kind }) => !isTransient(kind));
		if (!isPermanent) verdict.stuck.push(`the first poll threw: ${error?.message ?? ''}`);
	}
	checkOrder(result, verdict);
}

function checkOrder({ items }: PollResult, verdict: Verdict): void {
	let latest = 0;
	for (const item of items) {
		if (item['event'] !== 'charge.created') continue;
		const created = msOf(textOf(item['created']));
		if (created < latest) verdict.disordered.push(textOf(item['event_id']));
		latest = created;
	}
}

const msOf = (created: string): number =>
	Date.parse(/Z|\+\d\d:\d\d$/.test(created) ? created : `${created}Z`);
