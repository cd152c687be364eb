import type { ChargeList, ChargePage } from './chargeList';
import type { ChargeRow } from './chargeRow';
import type { Cursor } from './cursor';
import { findBoundary } from './findBoundary';
import { horizonOf } from './policy';
import type { Policy } from './policy';
import { newestOf } from './reading';
import type { Frame, Reading } from './reading';
import { readUpwards } from './readUpwards';
import { END } from './timestamps';
import type { Instant } from './timestamps';

/** Reads a list that begins with its oldest charge: from what is known to its end, where new ones come in. */
export async function readOldestFirst(
	list: ChargeList,
	cursor: Cursor,
	first: ChargePage,
	frame: Frame,
	policy: Policy,
	isNewIn: (from: Instant) => (row: ChargeRow) => boolean,
): Promise<Reading> {
	const { count } = first;
	let { from, position } = cursor;
	if (cursor.silentUpTo === END) {
		const atEnd = count === undefined ? undefined : { index: count };
		const end = await findBoundary(list, {
			...frame,
			from: END,
			position: atEnd,
			count,
			maxRequests: Infinity,
		});
		from = horizonOf(newestOf(end.page?.rows ?? [], policy.present), policy);
		position = end.page === undefined ? undefined : { index: end.page.first };
	}
	if (from === '') position = { index: 0 };
	const isBaseline = cursor.silentUpTo === END;
	const {
		span,
		provenTo,
		position: found,
	} = await readUpwards(list, {
		...frame,
		from,
		position,
		count,
		isNew: isNewIn(from),
		target: END,
		cautionMs: policy.lookbackMs,
		maxNew: isBaseline ? Infinity : policy.maxCharges,
		maxRequests: Infinity,
	});
	return {
		rows: span?.rows ?? [],
		provenTo,
		isComplete: provenTo === END,
		isBehind: false,
		order: frame.order,
		slackMs: frame.slackMs,
		count: first.count,
		...(span === undefined ? {} : { span }),
		...(found === undefined ? {} : { position: found }),
	};
}
