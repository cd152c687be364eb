import { ENDPOINTS, DEFAULT_PAGE_SIZE } from '../../../contract/constants';
import { readCharge, type Charge } from '../../shared/charges/charge';
import { countOf, isNamed } from '../../shared/lists/listPage';
import { rowsOf } from '../../shared/service/answers';
import type { Transport } from '../../shared/service/transport';
import type { Instant } from '../../shared/timestamps';
import { keyOf } from '../state/datedKeys';

/** A charge as it was read. */
export interface ChargeRow extends Charge {
	/** Stands for the id in the stored state. */
	readonly key: string;
}

/** One page as it was in one moment. */
export interface ChargePage<Row = ChargeRow> {
	/** From 1. */
	readonly number: number;
	/** In the list's order; undefined for a row without an id or a time of creation. */
	readonly rows: ReadonlyArray<Row | undefined>;
	/** Rows of the whole list, as far as the answer has something that may be a count. */
	readonly count?: number | undefined;
	/** Whether the answer says that another page follows; undefined where it does not say. */
	readonly hasNext: boolean | undefined;
	/** It is the page before it again. */
	readonly isAgain?: true;
}

/** As much of a page as shows whether the next one repeats it or is behind the end. */
export type PageOutline = ChargePage<Pick<ChargeRow, 'key'>>;

export const outlineOf = (page: PageOutline | undefined): PageOutline | undefined =>
	page && { ...page, rows: page.rows.map((row) => row && { key: row.key }) };

export const noSuchPage = (number: number): ChargePage => ({ number, rows: [], hasNext: false });

/** Whether a count is that of the page alone: the answer, or a page before it, says that there is more. */
export const isOfPage = ({ number, rows, count, hasNext }: ChargePage): boolean =>
	count !== undefined && count <= rows.length && (hasNext === true || number > 1);

/** Whether a page has rows, and all of them were created before an instant. */
export const isOlderThan = ({ rows }: ChargePage, instant: Instant): boolean =>
	rows.length > 0 && rows.every((row) => row !== undefined && row.created < instant);

/** Reads one page; the filters are the same for all of them. */
export type FetchPage = (page: number) => Promise<ChargePage>;

/**
 * Reads pages of the charge list (docs/service.md, Lists), taking whatever an answer holds. Only what is no envelope at
 * all is an error. `next` is never followed, since it may name any host.
 *
 * @param deadlineMs when the last request must have ended, by the clock's elapsed milliseconds
 */
export function chargePages(
	transport: Transport,
	filters: Readonly<Record<string, string>>,
	deadlineMs: number,
): FetchPage {
	return async (number) => {
		const request = {
			endpoint: ENDPOINTS.chargeList,
			qs: { ...filters, page: number, page_size: DEFAULT_PAGE_SIZE },
		};
		const envelope = await transport.send(request, { deadlineMs });
		const rows = rowsOf(envelope).map(readRow);
		return { number, rows, count: countOf(envelope['count']), hasNext: isNamed(envelope['next']) };
	};
}

function readRow(record: unknown): ChargeRow | undefined {
	const charge = readCharge(record);
	return charge && { ...charge, key: keyOf(charge.id) };
}
