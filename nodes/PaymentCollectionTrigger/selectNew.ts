import type { ChargeRow } from './chargeRow';
import { CURSOR_VERSION } from './cursor';
import type { Cursor } from './cursor';
import type { KeySet } from './keySet';
import { horizonOf } from './policy';
import type { Policy } from './policy';
import { MAX_SLACK_MS, outOfOrderMs } from './listOrder';
import { datesOf, newestOf, positionIn } from './reading';
import type { Reading } from './reading';
import { compareTexts } from './textOrder';
import { BEGINNING, END, earliest, latest } from './timestamps';

export interface Selection {
	/** New charges, oldest first. */
	readonly fresh: readonly ChargeRow[];
	/** Not known before, but there when the trigger (or a filter) began: not emitted. */
	readonly silent: readonly ChargeRow[];
	/** What to remember once `fresh` is emitted. */
	readonly cursor: Cursor;
}

/**
 * Decides which rows are new: not known, and created no earlier than `from`. What can't be emitted in this poll
 * stays unknown, and `from` does not move past it, nor past anything that was not proven to be read.
 *
 * @param known the cursor's known charges; those decided here are added
 */
export function selectNew(
	reading: Reading,
	cursor: Cursor,
	known: KeySet,
	policy: Policy,
): Selection {
	const isBaseline = cursor.silentUpTo === END;
	const { silentUpTo = BEGINNING, filters, account } = cursor;
	const newest = latest(cursor.newest, newestOf(reading.rows, policy.present));
	const horizon = horizonOf(newest, policy);

	const byKey = new Map(reading.rows.map((row) => [row.key, row]));
	const undecided = [...byKey.values()]
		.filter(({ created, key }) => created >= cursor.from && !known.has(key))
		.sort(oldestFirst);
	const isSilent = ({ created }: ChargeRow) => silentUpTo !== BEGINNING && created <= silentUpTo;
	const silent = undecided.filter(isSilent);
	// In a list by arrival a future-dated charge stands among older ones: it would be left behind if it had to wait.
	const isFuture = ({ created }: ChargeRow) => created > policy.present;
	const waiting = undecided.filter((row) => !isSilent(row));
	const news = [...waiting.filter(isFuture), ...waiting.filter((row) => !isFuture(row))];
	const fresh = news.slice(0, policy.maxCharges).sort(oldestFirst);
	const firstLeft = news[policy.maxCharges];

	const mayForget = earliest(horizon, reading.provenTo, firstLeft?.created ?? END);
	const from = isBaseline ? horizon : latest(cursor.from, mayForget);
	for (const { key, created } of [...silent, ...fresh])
		if (created >= from) known.add(key, created);
	known.forgetBefore(from);

	const isDone = reading.isComplete && firstLeft === undefined;
	const stillSilent = reading.isComplete
		? BEGINNING
		: isBaseline && (reading.pass?.page ?? 1) === 1
			? newest
			: silentUpTo;
	const position =
		(reading.span && positionIn(reading.span, from, reading.order, reading.count)) ??
		reading.position ??
		cursor.position;
	const slackMs = slackOf(reading, cursor, policy);
	return {
		fresh,
		silent,
		cursor: {
			version: CURSOR_VERSION,
			account,
			filters,
			newest,
			from,
			known: known.toBuckets(),
			...(stillSilent === BEGINNING ? {} : { silentUpTo: stillSilent }),
			...(reading.order === undefined ? {} : { order: reading.order }),
			...(slackMs === 0 ? {} : { slackMs }),
			...(isDone && reading.snapshot !== undefined ? { snapshot: reading.snapshot } : {}),
			...(position === undefined ? {} : { position }),
			...(reading.isBehind && !isDone ? { isBehind: true } : {}),
			...(reading.pass === undefined ? {} : { pass: reading.pass }),
		},
	};
}

/** Where one row stands out of the order, others may, by as much as a charge may be late. */
function slackOf({ span, order }: Reading, cursor: Cursor, policy: Policy): number {
	if (order === undefined || order === 'none') return 0;
	const seenMs = outOfOrderMs(datesOf(span?.rows ?? [], policy.present), order);
	const slackMs = Math.max(order === cursor.order ? (cursor.slackMs ?? 0) : 0, seenMs);
	return slackMs === 0 ? 0 : Math.min(MAX_SLACK_MS, Math.max(slackMs, policy.lookbackMs));
}

const oldestFirst = (one: ChargeRow, other: ChargeRow): number =>
	compareTexts(one.created, other.created) || compareTexts(one.id, other.id);
