import { SET_ASIDE } from '../cursor/cursor';
import type { Walk } from '../cursor/walk';
import type { ChargePage } from '../list/chargePage';
import { coordinateAt, pageHolding } from '../list/coordinates';
import { datesOf } from '../list/chargeRow';
import type { ChargeRow } from '../list/chargeRow';
import { EARLIEST, LATEST, latest, shift } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { newestOf } from '../dates';
import { payBack } from '../reading/ledger';
import { learnOrder } from './order';
import { newestKnown } from '../reading/knownCharges';
import { judgePage, placeOf } from '../reading/run';
import type { Run } from '../reading/run';
import { hasMoved, showsNothingNew } from './walkEnd';
import type { Steps } from './walkState';
import { rememberedSince } from '../reading/standing';
import { insertRange, isUnread } from '../reading/unreadRanges';

/** `oldEnd`: no page follows; `pause`: the walk has to wait for the next poll. */
type Outcome = 'on' | 'oldEnd' | 'pause';

/** Reads and judges the next page of a walk. */
export async function walkPage(run: Run, walk: Walk, steps: Steps): Promise<Outcome> {
	const { cursor, list } = run;
	if (walk.below <= 0) return 'oldEnd';
	const isProbe = needsProbe(run, walk);
	const number = pageHolding(isProbe ? 0 : walk.below - 1, cursor.list);
	const page = await list.read(number);
	if (cursor.walk !== walk) return 'on';
	if (page === undefined) {
		if (!list.hasFailed(number) || (!isProbe && mayComeBack(run, walk))) return 'pause';
		if (isProbe) walk.pages += 1;
		else passOver(run, walk, number);
		return list.requests.mayRead ? 'on' : 'pause';
	}
	if (list.isGuessedEnd(number) && mayComeBack(run, walk)) return 'pause';
	walk.pages += 1;
	walk.failures = 0;
	// The row may stand on another page by now, when others have left meanwhile.
	const isElsewhere = pageHolding(walk.below - 1, cursor.list) !== number;
	const isFound = page.slots.some(({ coordinate }) => coordinate === walk.below - 1);
	if (isProbe || (isElsewhere && !isFound)) return 'on';
	const { newEnd, pageSize, length } = cursor.list;
	const isFirstPage = newEnd === 'firstPage';
	if (page.slots.length === 0 && isFirstPage) {
		return page.isAgain && (await hasMoved(run, number)) ? 'on' : 'oldEnd';
	}
	const isCounted = length.kind === 'counted';
	if (!isCounted && isFirstPage && showsNothingNew(page, walk, steps)) return 'oldEnd';
	const isRepeated = !isCounted && page.content === walk.pageContent;
	if (!isRepeated && !judgeWalked(run, page, walk, steps)) return 'pause';
	walk.pageContent = page.content;
	// Where a page is short, there is nothing more of it to come.
	const last = isFirstPage ? number * pageSize - 1 : (number - 1) * pageSize;
	walk.below = Math.min(walk.below, Math.max(0, coordinateAt(last, cursor.list)));
	const isLast = isFirstPage ? page.end === 'said' : page.number === 1;
	return isLast ? 'oldEnd' : 'on';
}

/** The second page of the first walk is the one at the old end: where it is not there, the count is wrong. */
const needsProbe = ({ cursor: { list } }: Run, { purpose, pages }: Walk): boolean =>
	purpose === 'first' &&
	pages === 1 &&
	list.newEnd === 'firstPage' &&
	list.length.kind === 'counted';

/** Without a count, nobody could find what of the past stands on a page that was left out: it is tried again first. */
function mayComeBack({ cursor: { backlog, list } }: Run, walk: Walk): boolean {
	if (backlog === undefined || list.length.kind === 'counted') return false;
	walk.failures += 1;
	return walk.failures < SET_ASIDE;
}

/** A page that fails is left out, and what stands on it looked for by another walk, or as unread where it has places. */
function passOver({ cursor }: Run, walk: Walk, number: number): void {
	walk.isUnsure = true;
	walk.hasLeftOut = true;
	walk.failures = 0;
	const to = walk.below;
	while (walk.below > 0 && pageHolding(walk.below - 1, cursor.list) === number) {
		walk.below -= 1;
	}
	if (cursor.backlog === undefined || cursor.list.length.kind !== 'counted') return;
	const { since, currency } = cursor.backlog;
	const upTo = cursor.silence?.upTo ?? LATEST;
	const backlog = currency === undefined ? { upTo } : { upTo, currency };
	const places = { from: walk.below, to, failures: SET_ASIDE };
	insertRange(cursor, { ...places, since, knownSince: EARLIEST, backlog });
}

/**
 * Without a count, what has to wait would count as told once the keys of newer charges, told first, leave no room for
 * those of its time. So it is a backlog, which the walk goes on to tell, the newest first.
 */
function makeBacklog(run: Run, walk: Walk, rows: readonly ChargeRow[], until: Instant): void {
	const { cursor, nowMs } = run;
	const { list, silence } = cursor;
	const [before] = newestOf([...walk.newest, ...datesOf(rows)], nowMs);
	if (list.length.kind === 'counted' || list.newEnd === 'lastPage') return;
	if (cursor.backlog !== undefined || before === undefined || before <= until) return;
	const silentUntil = silence === undefined ? EARLIEST : shift(silence.upTo, 1);
	const since = latest(
		rememberedSince(cursor),
		newestKnown(cursor, nowMs)[0] ?? EARLIEST,
		silentUntil,
	);
	cursor.backlog = list.order === 'byDate' ? { since, until, before } : { since, before };
}

/**
 * Judges the rows of a page that the walk has come to, the newest first.
 * @returns false when one of them has to wait for the next poll, and the walk with it
 */
function judgeWalked(run: Run, page: ChargePage, walk: Walk, steps: Steps): boolean {
	const { cursor, novelty } = run;
	judgePage(run, page);
	const own = page.slots.filter(({ coordinate }) => coordinate < walk.below);
	const rows = own.flatMap(({ row }) => row ?? []);
	for (const slot of [...own].reverse()) {
		if (slot.row === undefined || isUnread(cursor, slot.coordinate)) continue;
		const verdict = novelty.judgeBacklog(slot.row, placeOf(run, page, slot.row));
		if (verdict === 'waiting') {
			makeBacklog(run, walk, rows, slot.row.created);
			return false;
		}
		if (verdict === 'new') payBack(cursor, slot.coordinate);
	}
	// Rows that stay where they are show once: one that shows twice has kept another from showing.
	const showsTwice = rows.some(({ key }) => steps.keys.has(key));
	// In a list with a count an unread range holds what can't be read; without one, the window has to stay. While the
	// trigger begins, it is taken for one that was there.
	const isOld = cursor.silence !== undefined && cursor.backlog === undefined;
	const hidesOne =
		cursor.list.length.kind === 'uncounted' &&
		!isOld &&
		own.some(({ row, unreadableKey: key }) => !row && !(key && novelty.known.has(key)));
	if (showsTwice || hidesOne) walk.isUnsure = true;
	for (const { key } of rows) steps.keys.add(key);
	steps.unreadable += own.length - rows.length;
	steps.pages.push(page);
	learnOrder(run, walk, rows);
	walk.newest = newestOf([...walk.newest, ...datesOf(rows)], run.nowMs);
	return true;
}
