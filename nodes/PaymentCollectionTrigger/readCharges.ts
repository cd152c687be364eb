import type { ChargeList, ChargePage } from './chargeList';
import type { ChargeRow } from './chargeRow';
import type { Cursor } from './cursor';
import type { KeySet } from './keySet';
import { horizonOf } from './policy';
import type { Policy } from './policy';
import { readOldestFirst } from './readOldestFirst';
import { judgeFront, readDownwards } from './readDownwards';
import { readEverything } from './readEverything';
import { newestOf } from './reading';
import type { Frame, Reading, Snapshot } from './reading';
import { readUpwards } from './readUpwards';
import { END, latest, toMs } from './timestamps';
import type { Instant } from './timestamps';

/** More known charges than this are only kept until they can be proven and forgotten, whatever that costs. */
const MAX_UNPROVEN = 5_000;
/** The same for the time between what is proven and what could be. */
const MAX_LAG_MS = 12 * 60 * 60_000;

/**
 * Reads as much of the charge list as it takes to see every new charge, or as one poll may: from the newest row
 * back to what is known (newest first), from what is known to the newest row (oldest first, and a backlog), or
 * all of it (no order).
 */
export async function readCharges(
	list: ChargeList,
	cursor: Cursor,
	known: KeySet,
	policy: Policy,
): Promise<Reading> {
	const first = await list.page(1);
	const judged = await judgeFront(list, first, cursor.order, policy.present);
	const frame = { ...judged, slackMs: Math.max(judged.slackMs, cursor.slackMs ?? 0) };
	const isBaseline = cursor.silentUpTo === END;
	const isNewIn = (from: Instant) => (row: ChargeRow) => row.created >= from && !known.has(row.key);
	const horizon = horizonOf(
		latest(cursor.newest, newestOf([...list.rows.values()], policy.present)),
		policy,
	);
	if (first.isEnd) return wholeList(first, frame);
	if (frame.order === 'oldestFirst')
		return await readOldestFirst(list, cursor, first, frame, policy, isNewIn);
	if (frame.order !== 'newestFirst') {
		const read = await readEverything(list, first, {
			from: cursor.from,
			pass: cursor.pass,
			horizon,
			isNew: isNewIn(cursor.from),
			maxNew: isBaseline ? Infinity : policy.maxCharges,
		});
		return {
			...read,
			isBehind: false,
			order: frame.order,
			slackMs: frame.slackMs,
			count: first.count,
		};
	}

	const from = isBaseline ? horizon : cursor.from;
	const isNew = isNewIn(from);
	const position =
		cursor.position ?? (known.size > 0 ? { index: known.size } : endOfList(cursor, first));
	const up = {
		...frame,
		from,
		isNew,
		position,
		count: first.count,
		target: END,
		cautionMs: policy.lookbackMs,
	};
	const { snapshot } = cursor;
	const grewBy = (first.count ?? 0) - (snapshot?.count ?? first.count ?? 0);
	const isFirstReading = !isBaseline && cursor.newest === '';
	if (cursor.isBehind !== true && !isFirstReading && grewBy <= policy.maxCharges) {
		const maxNew = isBaseline ? Infinity : policy.maxCharges;
		const down = await readDownwards(list, first, { ...frame, from, snapshot, isNew, maxNew });
		if (!down.hasTooMany) {
			const lagMs = toMs(horizon) - toMs(from);
			const reading: Reading = {
				...down,
				rows: down.span.rows,
				isBehind: false,
				order: frame.order,
				slackMs: frame.slackMs,
				count: first.count,
				...(down.isComplete ? snapshotOf(first, first.count) : {}),
			};
			const fresh = down.span.rows.filter(isNew).length;
			const isPaidFor = list.requests <= Math.ceil(fresh / list.size);
			const isDue = lagMs >= policy.lookbackMs / 4 && down.provenTo <= from;
			if (fresh === 0 || !isPaidFor || !isDue) return reading;
			const isPressing = known.size > MAX_UNPROVEN || lagMs > MAX_LAG_MS;
			const maxRequests = isPressing ? Infinity : 1;
			const tail = await readUpwards(list, {
				...up,
				cautionMs: 0,
				target: horizon,
				maxNew: Infinity,
				maxRequests,
			});
			return {
				...reading,
				rows: [...reading.rows, ...(tail.span?.rows ?? [])],
				provenTo: tail.provenTo,
				...(tail.span === undefined ? {} : { span: tail.span }),
				...(tail.position === undefined ? {} : { position: tail.position }),
			};
		}
	}
	const { maxCharges: maxNew } = policy;
	const {
		span,
		provenTo,
		position: found,
		lastPage,
	} = await readUpwards(list, { ...up, maxNew, maxRequests: Infinity });
	const isComplete = provenTo === END;
	return {
		rows: span?.rows ?? [],
		provenTo,
		isComplete,
		isBehind: true,
		order: frame.order,
		slackMs: frame.slackMs,
		count: first.count,
		...(span === undefined ? {} : { span }),
		...(found === undefined ? {} : { position: found }),
		...(isComplete && lastPage !== undefined ? snapshotOf(lastPage, first.count) : {}),
	};
}

function wholeList(first: ChargePage, { order, slackMs }: Frame): Reading {
	return {
		rows: first.rows,
		span: { first: 0, rows: first.rows },
		isWhole: true,
		provenTo: END,
		isComplete: true,
		isBehind: false,
		order,
		slackMs,
		count: first.count,
		...snapshotOf(first, first.count),
	};
}

/** Everything that was read of page 1, unless rows came or went since `count` was told. */
function snapshotOf(page: ChargePage, count: number | undefined): { snapshot?: Snapshot } {
	if (page.count === undefined || page.count !== count) return {};
	return { snapshot: { count: page.count, top: page.rows.map(({ key }) => key) } };
}

const endOfList = ({ from }: Cursor, { count }: ChargePage) =>
	from === '' && count !== undefined ? { index: count, behind: 0 } : undefined;
