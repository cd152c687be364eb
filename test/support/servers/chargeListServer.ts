import { json, scriptedServer, text } from './http-server';
import type { Answer, RecordedRequest, ScriptedServer } from './http-server';

/** A row of the charge list, as small as the trigger can use it; a test may add what it likes, or take away. */
export type Row = Record<string, unknown>;

/** How the list is given. Each is a way that a service may have, since the document leaves it open. */
export interface ListManners {
	/** Rows of a full page when so many are asked for. */
	size?: (asked: number) => number;
	/** What stands in `count`; undefined leaves it out. */
	count?: (total: number, onPage: number) => unknown;
	hasNext?: boolean;
	/** What a page behind the last one is. */
	end?: 'notFound' | 'empty';
	/** Answers some requests in another way. */
	instead?: (request: ListRequest) => Answer | undefined;
}

interface ListRequest {
	page: number;
	pageSize: number;
	query: RecordedRequest['query'];
	/** Requests before it. */
	index: number;
}

export interface ChargeListServer {
	server: ScriptedServer;
	url: string;
	/** In the order of the list, from page 1 on. The test changes it as it likes. */
	rows: Row[];
	/** Called before each answer. */
	beforeAnswer: (request: ListRequest) => void;
	manners: ListManners;
	/** Requests since it was asked for last. */
	requests(): number;
}

const FILTERS = ['currency', 'status', 'id'];

export const capped = (cap: number) => (asked: number) => Math.min(asked, cap);

/** Starts a service on 127.0.0.1 that gives one list of charges, with the filters of the document's rows. */
export async function chargeListServer(
	rows: Row[] = [],
	manners: ListManners = {},
): Promise<ChargeListServer> {
	const list: ChargeListServer = {
		server: await scriptedServer((request, count) => answer(request, count)),
		url: '',
		rows,
		beforeAnswer: () => undefined,
		manners,
		requests: () => {
			const { length } = list.server.requests;
			list.server.forget();
			return length;
		},
	};
	list.url = list.server.url;

	function answer({ query }: RecordedRequest, count: number): Answer {
		const { page = '1', page_size: pageSize = '10' } = query;
		const request = { page: Number(page), pageSize: Number(pageSize), query, index: count - 1 };
		list.beforeAnswer(request);
		return list.manners.instead?.(request) ?? pageOf(list, request);
	}

	return list;
}

function pageOf(
	{ rows, manners }: ChargeListServer,
	{ page, pageSize, query }: ListRequest,
): Answer {
	const {
		size = capped(100),
		count = (total: number) => total,
		hasNext = true,
		end = 'notFound',
	} = manners;
	const isWanted = (row: Row): boolean =>
		FILTERS.every((name) => query[name] === undefined || query[name] === row[name]);
	const matching = rows.filter(isWanted);
	const perPage = size(pageSize);
	const first = (page - 1) * perPage;
	const results = matching.slice(first, first + perPage);
	if (results.length === 0 && page > 1 && end === 'notFound') return text('Not found', 404);
	const next =
		first + perPage < matching.length ? `http://127.0.0.1/v1/charges?page=${page + 1}` : null;
	return json({
		count: count(matching.length, results.length),
		...(hasNext ? { next, previous: null } : {}),
		results,
	});
}

let lastCharge = 0;

/** A charge created at that time, ms. */
export function charge(createdMs: number, more: Row = {}): Row {
	lastCharge += 1;
	return {
		id: `charge-${lastCharge}`,
		created: new Date(createdMs).toISOString(),
		currency: 'USD',
		status: 'authorised',
		refund_total: '0.00',
		refunds: [],
		...more,
	};
}

/** So many charges, the newest first: one now and the others before it. */
export function history(count: number, nowMs: number, gapMs: number, more: Row = {}): Row[] {
	return Array.from({ length: count }, (_, index) => charge(nowMs - index * gapMs, more));
}
