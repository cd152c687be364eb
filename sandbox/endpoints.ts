import { z } from 'zod';
import type { EndpointName } from '../contract/constants';
import {
	chargeFiltersSchema,
	chargeSchema,
	type RefundAnswer,
	refundAnswerSchema,
	refundSchema,
} from '../contract/schemas/charge';
import { checkoutSessionSchema } from '../contract/schemas/checkoutSession';
import { customerFiltersSchema, customerSchema } from '../contract/schemas/customer';
import { invoiceSchema } from '../contract/schemas/invoice';
import { linkCreateSchema, linkEditSchema, linkSchema } from '../contract/schemas/link';
import { envelopeSchema, pageQuerySchema, type PageQuery } from '../contract/schemas/list';
import type { StoredLink } from './data/links';
import { invalid, ServiceError } from './errors';
import { checkExpiryDate, presentLink } from './linkExpiry';
import { filterOf, pageOf, type Predicates, type Rows, shuffle, wrap } from './lists';
import type { Service } from './service';
import type { Store } from './store';
import type { ListName, Switches } from './switches';
import type { LazyTable } from './table';

/** A request to an endpoint: its id is '' if it takes none. Query and body are unknown until a schema has parsed them. */
interface EndpointRequest<Query = unknown, Body = unknown> {
	id: string;
	query: Query;
	body: Body;
	/** Path and query as they came in. */
	target: string;
}

/** Body of a response, and its status unless it is 200. */
interface Answer {
	status?: number;
	body?: unknown;
}

type ObjectSchema = z.AnyZodObject | z.ZodEffects<z.AnyZodObject>;

export interface EndpointHandler {
	/** Includes the page of a list. */
	readonly query?: z.AnyZodObject;
	readonly body?: ObjectSchema;
	/** Schema of a success's body if all switches have their defaults. */
	readonly success: z.ZodTypeAny;
	/** Throws ServiceError or ZodError for what it refuses. */
	readonly handle: (service: Service, request: EndpointRequest) => Answer;
}

/** HTTP clients return an empty text for a missing body. */
const noBody = z.literal('');
const link = linkSchema.strict();

/** Each endpoint of docs/service.md: its request, its response and its effect. */
export const HANDLERS = {
	linkCreate: endpoint({ body: linkCreateSchema, success: link }, (service, { body }) => {
		const { store, switches } = service;
		checkExpiryDate(body.expiry_date, store.nowMs, switches);
		return { status: switches.createStatus, ...linkAnswer(service, store.createLink(body)) };
	}),
	linkGet: endpoint({ success: link }, (service, { id }) =>
		linkAnswer(service, service.store.links.find(id)),
	),
	linkEdit: endpoint({ body: linkEditSchema, success: link }, (service, { id, body }) =>
		linkAnswer(service, service.store.editLink(id, body)),
	),
	// The state after a delete is not documented: the link is gone, and reading it is a 404.
	linkDelete: endpoint({ success: noBody }, ({ store, switches }, { id }) => {
		store.links.remove(id);
		return { status: switches.deleteStatus };
	}),
	invoiceGet: recordEndpoint(invoiceSchema, ({ invoices }) => invoices),
	chargeList: list('charges', {
		record: chargeSchema,
		filters: chargeFiltersSchema,
		table: ({ charges }) => charges,
		present: ({ charge }) => charge,
		own: {
			customer_id: ({ customerId }, wanted) => customerId === wanted,
			type: ({ type }, wanted) => type === wanted,
			// The fields that search looks at are not documented: id, reference_id, note and the card holder's name are assumed.
			search: ({ charge: { id, reference_id, note, source } }, wanted) =>
				[id, String(reference_id), note, source.card_holder_name].some((text) =>
					contains(text, wanted),
				),
		},
	}),
	chargeRefund: endpoint(
		{ body: refundSchema, success: refundAnswerSchema.strict() },
		(service, { id, body: { amount } }) => {
			const { currency } = service.refundCharge(id, amount);
			return { body: { message: `Refunded ${amount} ${currency}` } satisfies RefundAnswer };
		},
	),
	checkoutGet: recordEndpoint(checkoutSessionSchema, ({ checkoutSessions }) => checkoutSessions),
	customerList: inArray(
		list('customers', {
			record: customerSchema,
			filters: customerFiltersSchema,
			table: ({ customers }) => customers,
			present: (customer) => customer,
			own: {
				// "matching first name, last name and email": a part of any of them is assumed to match.
				search: ({ first_name, last_name, email }, wanted) =>
					[first_name, last_name, email].some((text) => contains(text, wanted)),
			},
			// How the filters compare is not documented: see the switch textFilter.
			isSame: (text, wanted, name, { textFilter }) => {
				if (name === 'id') return text === wanted;
				return textFilter === 'contains'
					? contains(text, wanted)
					: text.toLowerCase() === wanted.toLowerCase();
			},
		}),
	),
} satisfies Record<EndpointName, EndpointHandler>;

export type AnswerOf<Name extends EndpointName> = z.infer<(typeof HANDLERS)[Name]['success']>;

/** Query and body are ignored unless they have a schema. */
function endpoint<
	Success extends z.ZodTypeAny,
	Query extends z.AnyZodObject = never,
	Body extends ObjectSchema = never,
>(
	schemas: { query?: Query; body?: Body; success: Success },
	handle: (service: Service, request: EndpointRequest<z.infer<Query>, z.infer<Body>>) => Answer,
) {
	return {
		...schemas,
		handle: (service: Service, { query, body, ...request }: EndpointRequest): Answer =>
			handle(service, {
				...request,
				query: schemas.query?.parse(query) as z.infer<Query>,
				body: schemas.body?.parse(body) as z.infer<Body>,
			}),
	};
}

/** Reads a record that is stored as it is shown. */
function recordEndpoint<Shape extends z.ZodRawShape>(
	record: z.ZodObject<Shape>,
	table: (store: Store) => LazyTable<z.infer<z.ZodObject<Shape>>>,
) {
	const success = record.strict();
	return endpoint({ success }, ({ store }, { id }) => ({ body: table(store).find(id) }));
}

const linkAnswer = ({ store, switches }: Service, stored: StoredLink): Answer => ({
	body: presentLink(stored, store.nowMs, switches),
});

const contains = (text: string, part: string): boolean =>
	text.toLowerCase().includes(part.toLowerCase());

interface List<Row, Shape extends z.ZodRawShape, Filters extends object> {
	record: z.ZodObject<Shape>;
	filters: z.ZodObject<
		{ [Name in keyof Filters]: z.ZodTypeAny },
		'strict',
		z.ZodTypeAny,
		Filters,
		Filters
	>;
	table: (store: Store) => LazyTable<Row>;
	present: (row: NoInfer<Row>) => z.infer<z.ZodObject<Shape>>;
	/** Filters that don't compare the record's field of the same name. */
	own: NoInfer<Predicates<Row, Omit<Filters, keyof Shape>>>;
	/** How the other filters compare, exactly by default. */
	isSame?: (text: string, wanted: string, name: string, switches: Switches) => boolean;
}

/** docs/service.md, Lists. Undocumented behavior has a switch. */
function list<Row, Shape extends z.ZodRawShape, Filters extends object>(
	name: ListName,
	{
		record,
		filters,
		table,
		present,
		own,
		isSame = (text, wanted) => text === wanted,
	}: List<Row, Shape, Filters>,
) {
	const success = envelopeSchema(record.strict()).strict();
	const query = filters.merge(pageQuerySchema);
	return endpoint({ query, success }, (service, { query: parsed, target }) => {
		const asked = parsed as Filters & PageQuery & { id?: string };
		const { switches, store } = service;
		const byField = Object.keys(filters.shape).map((filter) => [
			filter,
			(row: Row, wanted: unknown) =>
				isSame(String(present(row)[filter]), String(wanted), filter, switches),
		]);
		const predicates = { ...Object.fromEntries(byField), ...own } as Predicates<Row, Filters>;
		const matches = filterOf(asked, predicates);
		const rows = rowsOf(service, table(store), matches, asked.id, (row) =>
			String(present(row)['id']),
		);
		const envelope = envelopeOf(service, rows, asked, target);
		const body = { ...envelope, results: envelope.results.map(present) };
		return { body: wrap(body, switches.envelopeInArray.includes(name)) };
	});
}

/** The sample of the customer list has its envelope in an array; a switch removes the array. */
function inArray<Envelope extends z.ZodTypeAny>({
	success,
	...handler
}: Omit<EndpointHandler, 'success'> & { success: Envelope }) {
	return { ...handler, success: success.array().length(1) };
}

/** A page of a list, with its rows as they are stored. */
function envelopeOf<Row>(
	{ switches, url }: Service,
	rows: Rows<Row>,
	{ page: asked = 1, page_size }: PageQuery,
	target: string,
) {
	const { pastTheEnd } = switches;
	const page = pageOf(rows, asked, pageSize(page_size, switches), pastTheEnd === 'last');
	const { number, last } = page;
	if (number > last && pastTheEnd === '404')
		throw new ServiceError(404, 'not_found', `page: ${asked} is past the end`);
	const uriOf = (other: number): string => {
		const uri = new URL(target, url);
		uri.searchParams.set('page', String(other));
		return uri.href;
	};
	return {
		count: switches.omitCount ? undefined : rows.length,
		next: number < last ? uriOf(number + 1) : null,
		previous: number > 1 ? uriOf(Math.min(number - 1, last)) : null,
		results: page.rows,
	};
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

/**
 * @param matches undefined when nothing is filtered, so that only the rows of the page are built
 * @param onlyId the ID in the query, if any: no other row has to be built
 */
function rowsOf<Row>(
	{ switches: { rowOrder }, store, log }: Service,
	table: LazyTable<Row>,
	matches: ((row: Row) => boolean) | undefined,
	onlyId: string | undefined,
	idOf: (row: Row) => string,
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
	return shuffle(chosen, `${store.options.seed}${salt}`, idOf);
}
