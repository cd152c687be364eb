import type { EndpointName } from '../contract/constants';
import {
	type Charge,
	type ChargeFilters,
	chargeFiltersSchema,
	type RefundAnswer,
	refundSchema,
} from '../contract/schemas/charge';
import {
	type Customer,
	type CustomerFilters,
	customerFiltersSchema,
} from '../contract/schemas/customer';
import { linkCreateSchema, linkEditSchema } from '../contract/schemas/link';
import { pageQuerySchema, type PageQuery } from '../contract/schemas/list';
import type { StoredCharge } from './data/charges';
import type { StoredLink } from './data/links';
import { invalid, notFound, ServiceError } from './errors';
import { checkExpiryDate, presentLink } from './linkExpiry';
import { filterOf, pageOf, predicatesOf, type Rows, shuffle, wrap } from './lists';
import type { Service } from './service';
import type { Switches } from './switches';
import type { LazyTable } from './table';

/** A request to an endpoint: its id, '' where it takes none, and what nobody has checked yet. */
export interface EndpointRequest {
	id: string;
	query: unknown;
	body: unknown;
	/** Path and query as they came in. */
	target: string;
}

/** What endpoints answer: a body, and a status when it is not 200. */
export interface Answer {
	status?: number;
	body?: unknown;
}

/** What each endpoint of docs/service.md does. Throws ServiceError or ZodError for what it refuses. */
export const HANDLERS: Record<
	EndpointName,
	(service: Service, request: EndpointRequest) => Answer
> = {
	linkCreate: (service, request) => {
		const { store, switches } = service;
		const body = linkCreateSchema.parse(request.body);
		checkExpiryDate(body.expiry_date, store.nowMs, switches);
		return { status: switches.createStatus, ...linkAnswer(service, store.createLink(body)) };
	},
	linkGet: (service, { id }) => linkAnswer(service, service.store.linkById(id)),
	linkEdit: (service, { id, body }) =>
		linkAnswer(service, service.store.editLink(id, linkEditSchema.parse(body))),
	// The state after a delete is not documented: the link is gone, and reading it is a 404.
	linkDelete: ({ store, switches }, { id }) => {
		if (!store.links.remove(id)) throw notFound('link', id);
		return { status: switches.deleteStatus };
	},
	invoiceGet: ({ store }, { id }) => ({ body: found(store.invoices, 'invoice', id) }),
	checkoutGet: ({ store }, { id }) => ({
		body: found(store.checkoutSessions, 'checkout session', id),
	}),
	chargeRefund: (service, { id, body }) => {
		const { amount } = refundSchema.parse(body);
		const { currency } = service.refundCharge(id, amount);
		return { body: { message: `Refunded ${amount} ${currency}` } satisfies RefundAnswer };
	},
	chargeList: (service, request) => {
		const query = chargeFiltersSchema.merge(pageQuerySchema).parse(request.query);
		return answerList(service, query, request.target, {
			resource: 'charges',
			table: service.store.charges,
			matches: filterOf(query, CHARGE_FILTERS),
			onlyId: query.id,
			present: ({ charge }) => charge,
		});
	},
	customerList: (service, request) => {
		const query = customerFiltersSchema.merge(pageQuerySchema).parse(request.query);
		return answerList(service, query, request.target, {
			resource: 'customers',
			table: service.store.customers,
			matches: filterOf(query, customerFilters(service.switches)),
			onlyId: query.id,
			present: (customer) => customer,
		});
	},
};

const linkAnswer = ({ store, switches }: Service, stored: StoredLink): Answer => ({
	body: presentLink(stored, store.nowMs, switches),
});

function found<Row>(table: LazyTable<Row>, what: string, id: string): Row {
	const row = table.get(id);
	if (!row) throw notFound(what, id);
	return row;
}

const contains = (text: string, part: string): boolean =>
	text.toLowerCase().includes(part.toLowerCase());

const CHARGE_FILTERS = predicatesOf<StoredCharge, Charge, ChargeFilters>(
	chargeFiltersSchema,
	({ charge }) => charge,
	(text, wanted) => text === wanted,
	{
		customer_id: ({ customerId }, wanted) => customerId === wanted,
		type: ({ type }, wanted) => type === wanted,
		// What search looks at is not documented: a part of id, reference_id, note or the card holder's name is taken to do.
		search: ({ charge: { id, reference_id, note, source } }, wanted) =>
			[id, String(reference_id), note, source.card_holder_name].some((text) =>
				contains(text, wanted),
			),
	},
);

/** How the filters compare is not documented: see the switch textFilter. */
const customerFilters = ({ textFilter }: Switches) =>
	predicatesOf<Customer, Customer, CustomerFilters>(
		customerFiltersSchema,
		(customer) => customer,
		(text, wanted, name) => {
			if (name === 'id') return text === wanted;
			return textFilter === 'contains'
				? contains(text, wanted)
				: text.toLowerCase() === wanted.toLowerCase();
		},
		{
			// "matching first name, last name and email": a part of any of them is taken to do.
			search: ({ first_name, last_name, email }, wanted) =>
				[first_name, last_name, email].some((text) => contains(text, wanted)),
		},
	);

interface ListRequest<Row, Shown> {
	resource: keyof Switches['envelopeInArray'];
	table: LazyTable<Row>;
	/** Undefined when nothing is filtered, so that only the rows of the page are built. */
	matches: ((row: Row) => boolean) | undefined;
	/** The only row that can match, where the query names its id: the others need not be built. */
	onlyId: string | undefined;
	present: (row: Row) => Shown;
}

/** docs/service.md, Lists. What is not shown is switched. */
function answerList<Row, Shown extends { id: string }>(
	service: Service,
	{ page: asked = 1, page_size }: PageQuery,
	target: string,
	list: ListRequest<Row, Shown>,
): Answer {
	const { switches, url } = service;
	const rows = rowsOf(service, list);
	const pastTheEnd = switches.pastTheEnd === '404' ? 'error' : switches.pastTheEnd;
	const page = pageOf(rows, asked, pageSize(page_size, switches), pastTheEnd);
	if (!page) throw new ServiceError(404, 'not_found', `page: ${asked} is past the end`);
	const { number, last } = page;
	const uriOf = (other: number): string => {
		const uri = new URL(target, url);
		uri.searchParams.set('page', String(other));
		return uri.href;
	};
	const envelope = {
		count: switches.omitCount ? undefined : rows.length,
		next: number < last ? uriOf(number + 1) : null,
		previous: number > 1 ? uriOf(Math.min(number - 1, last)) : null,
		results: page.rows.map(list.present),
	};
	return { body: wrap(envelope, switches.envelopeInArray[list.resource]) };
}

function pageSize(
	asked: number | undefined,
	{ defaultPageSize, maxPageSize, overMaxPageSize }: Switches,
): number {
	if (asked !== undefined && asked > maxPageSize && overMaxPageSize === 'refuse') {
		throw invalid(`page_size: must be at most ${maxPageSize}`);
	}
	return Math.min(asked ?? defaultPageSize, maxPageSize);
}

function rowsOf<Row, Shown extends { id: string }>(
	{ switches: { rowOrder }, store, log }: Service,
	{ table, matches, onlyId, present }: ListRequest<Row, Shown>,
): Rows<Row> {
	// The usual list builds no more rows than are read.
	if (!matches && rowOrder === 'newestFirst') {
		return { length: table.size, slice: (start, end) => table.slice(start, end) };
	}
	const candidates = onlyId ? [table.get(onlyId)] : table.all();
	const chosen = candidates.filter((row) => row !== undefined).filter(matches ?? (() => true));
	if (rowOrder === 'newestFirst') return chosen;
	if (rowOrder === 'oldestFirst') return chosen.reverse();
	const salt = rowOrder === 'shuffled' ? '' : `:${log.count}`;
	return shuffle(chosen, `${store.options.seed}${salt}`, (row) => present(row).id);
}
