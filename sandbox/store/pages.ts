import { createHash } from 'node:crypto';
import type { Envelope, PageQuery } from '../../contract/schemas/list';
import type { SandboxContext } from '../context';
import { invalid, ServiceError } from '../behaviour/errors';
import type { Switches } from '../behaviour/switches';
import type { LazyTable } from './table';

/** One list request: the rows it may choose from, how it filters them, and where it came in. */
export interface ListRequest<Row, Shown> {
	resource: keyof Switches['envelopeInArray'];
	table: LazyTable<Row>;
	/** The only row that can match, when the query names its id: the others need not be built. */
	onlyId: string | undefined;
	/** Undefined when nothing is filtered, so that only the rows of the page are built. */
	matches: ((row: Row) => boolean) | undefined;
	present: (row: Row) => Shown;
	idOf: (row: Row) => string;
	query: PageQuery;
	/** Path and query of the request. */
	target: string;
}

/**
 * docs/service.md, Lists. Not shown and therefore switched: row order, default and greatest page
 * size, a page past the end, whether the envelope is wrapped in an array.
 */
export function answerList<Row, Shown>(
	{ switches, store, log }: SandboxContext,
	request: ListRequest<Row, Shown>,
): Partial<Envelope<Shown>> | [Partial<Envelope<Shown>>] {
	const asked = request.query.page ?? 1;
	const size = pageSize(request.query.page_size, switches);
	const rowsFor = (number: number) =>
		select(request, switches, store.options.seed, log.size, (number - 1) * size, size);
	const { rows, total } = rowsFor(asked);
	const last = Math.max(1, Math.ceil(total / size));
	if (asked > last && switches.pastTheEnd === '404') {
		throw new ServiceError(404, 'not_found', `page: ${asked} is past the end`);
	}
	const isLastAgain = asked > last && switches.pastTheEnd === 'last';
	const page = isLastAgain ? last : asked;
	const origin = switches.nextHost ?? store.options.url;
	const envelope: Partial<Envelope<Shown>> = {
		count: Math.max(0, total + switches.countOffset),
		next: page < last ? pageUri(origin, request.target, page + 1) : null,
		previous: page > 1 ? pageUri(origin, request.target, Math.min(page - 1, last)) : null,
		results: (isLastAgain ? rowsFor(last).rows : rows).map(request.present),
	};
	if (switches.omitCount) delete envelope.count;
	return switches.envelopeInArray[request.resource] ? [envelope] : envelope;
}

function pageSize(asked: number | undefined, switches: Switches): number {
	if (
		asked !== undefined &&
		asked > switches.maxPageSize &&
		switches.overMaxPageSize === 'refuse'
	) {
		throw invalid(`page_size: must be at most ${switches.maxPageSize}`);
	}
	return Math.min(asked ?? switches.defaultPageSize, switches.maxPageSize);
}

function select<Row, Shown>(
	{ table, onlyId, matches, idOf }: ListRequest<Row, Shown>,
	{ rowOrder }: Switches,
	seed: number,
	requestNumber: number,
	first: number,
	size: number,
): { rows: Row[]; total: number } {
	if (!matches && (rowOrder === 'newestFirst' || rowOrder === 'oldestFirst')) {
		const length = Math.max(0, Math.min(size, table.size - first));
		const positions = Array.from({ length }, (_, offset) =>
			rowOrder === 'newestFirst' ? first + offset : table.size - 1 - first - offset,
		);
		const rows = positions.map((position) => table.at(position));
		return { rows: rows.filter((row) => row !== undefined), total: table.size };
	}
	const candidates = onlyId === undefined ? table.all() : [table.get(onlyId)];
	const chosen = candidates.filter((row) => row !== undefined).filter(matches ?? (() => true));
	if (rowOrder === 'oldestFirst') chosen.reverse();
	if (rowOrder === 'shuffled' || rowOrder === 'shuffledPerRequest') {
		const salt = rowOrder === 'shuffled' ? `${seed}` : `${seed}:${requestNumber}`;
		return { rows: shuffle(chosen, salt, idOf).slice(first, first + size), total: chosen.length };
	}
	return { rows: chosen.slice(first, first + size), total: chosen.length };
}

/** An order that depends on each row's id alone, so that rows which come or go leave the others' order as it is. */
function shuffle<Row>(rows: readonly Row[], salt: string, idOf: (row: Row) => string): Row[] {
	return rows
		.map((row) => ({
			row,
			rank: createHash('sha256')
				.update(`${salt}:${idOf(row)}`)
				.digest('hex'),
		}))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.map(({ row }) => row);
}

/** The address of another page: same path and query, the page number replaced. */
function pageUri(origin: string, target: string, page: number): string {
	const uri = new URL(target, origin);
	uri.searchParams.set('page', String(page));
	return uri.href;
}
