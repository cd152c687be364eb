import { ReportedError, ServiceFailure } from '../../shared/errors/failures';
import type { Cursor, ListFacts } from '../cursor/cursor';
import { doubtCount } from '../reading/ledger';
import { isLast, signsOfEnd } from './chargePage';
import type { ChargePage } from './chargePage';
import type { RawPage } from './chargePages';
import type { Requests } from './requests';

const SERVER_ERROR = 500;

/** The pages that a poll has asked for; undefined for one that failed. */
type Pages = ReadonlyMap<number, ChargePage | undefined>;

/**
 * Tells pages that lie behind the end of the list from those that only failed: one answer alone, that a page fails,
 * has no rows or is not there, may be wrong, so the pages beside it have to tell.
 */
export class MissingPages {
	/** Page numbers that are taken for ones behind the end only because they and those after them could not be had. */
	readonly guessed = new Set<number>();
	/** The page beside one that is missing is being read, only for what it tells of that one. */
	isLooking = false;
	private hasDoubted = false;

	constructor(
		private readonly cursor: Cursor,
		private readonly requests: Requests,
		private readonly pages: Pages,
		/** Asks for a page, unless that was done. */
		private readonly read: (number: number) => Promise<ChargePage | undefined>,
	) {}

	/**
	 * Some services fail behind the end. The page behind one that seems to be the last is none; where the count says
	 * otherwise, or nothing shows the end, the next one has to fail too: a row that breaks a page breaks no other.
	 */
	async isBrokenEnd(number: number, error: unknown): Promise<boolean> {
		const isBroken = error instanceof ServiceFailure && error.failure.status === SERVER_ERROR;
		if (!isBroken || number === 1 || this.isLooking) return false;
		const { list } = this.cursor;
		// Where nothing shows the end, the second of two that fail is behind it, if the first was asked for before.
		if (hasFailed(this.pages, number - 1)) return list.length.kind === 'uncounted';
		this.isLooking = true;
		const before = await this.read(number - 1);
		const signs = before === undefined ? 0 : signsOfEnd(before, list);
		const { faults } = this.requests;
		if (signs === 1) await this.read(number + 1);
		this.isLooking = false;
		const isEnd = signs > 1 || (signs === 1 && hasFailed(this.pages, number + 1));
		if (isEnd && signs === 1) this.guessed.add(number);
		// Both were denied by the answer before them: that they fail is no fault.
		if (isEnd && before?.saysNext === false) this.requests.faults = faults;
		return isEnd;
	}

	/**
	 * Of a page that the service says is not there, or that has no rows.
	 * @returns whether it counts as behind the end, and not as one that failed
	 */
	async isEnd(number: number, { denial }: RawPage): Promise<boolean> {
		const missing = await this.whatIs(number);
		if (missing === 'guessed') this.guessed.add(number);
		if (missing === 'guessed' || missing === 'end') return true;
		if (missing === 'doubtful' && !this.hasDoubted) doubtCount(this.cursor);
		this.hasDoubted ||= missing === 'doubtful';
		this.requests.countFailure(
			denial ??
				new ReportedError(
					'A page has no rows, though more should follow',
					'Nothing: it will be read again.',
				),
		);
		return false;
	}

	/** `amid`: rows follow it; `doubtful`: only the count says that it should be there. */
	private async whatIs(number: number): Promise<'end' | 'guessed' | 'amid' | 'doubtful'> {
		const { list } = this.cursor;
		if (!mayBeThere(number, list)) return 'end';
		const isCounted = list.length.kind === 'counted';
		const before = isCounted ? await this.look(number - 1) : this.pages.get(number - 1);
		// That it says so itself, too, is enough where the page behind it is missing.
		if (before !== undefined && (before.saysNext === false || isLast(before, list))) return 'end';
		// Where the count is too high by pages, the ones before are missing too.
		const mayFollow = (before !== undefined || !isCounted) && mayBeThere(number + 1, list);
		const after = mayFollow ? await this.look(number + 1) : undefined;
		// Some services give the last page again behind the end.
		const isThere = after !== undefined && after.slots.length > 0;
		if (isThere && after.content !== before?.content) return 'amid';
		return list.length.kind === 'counted' ? 'doubtful' : 'guessed';
	}

	/** That the page beside it fails is no fault, but for page 1, which is always there. */
	private async look(number: number): Promise<ChargePage | undefined> {
		const { faults } = this.requests;
		this.isLooking = true;
		const page = await this.read(number);
		this.isLooking = false;
		if (number > 1) this.requests.faults = faults;
		return page;
	}
}

/** Whether a page was asked for and failed: nobody can say what stands there. */
export const hasFailed = (pages: Pages, number: number): boolean =>
	pages.has(number) && pages.get(number) === undefined;

/** Whether the page lies before the end of the list, as far as that is known. */
const mayBeThere = (number: number, { length, pageSize }: ListFacts): boolean =>
	length.kind === 'uncounted' ||
	(length.kind === 'counted' && (number - 1) * pageSize < length.count);
