import type { FastifyInstance } from 'fastify';
import { performance } from 'node:perf_hooks';
import { API_KEY_HEADER, ENDPOINTS } from '../contract/constants';
import { CONTROL_PREFIX, isThisMachine } from './control';
import { ServiceError, toAnswer } from './errors';
import { markup, sendPage, table } from './html';
import { presentLink } from './linkExpiry';
import { recordPages } from './recordPages';
import type { RequestEntry } from './requestLog';
import type { Service } from './service';
import { describeSwitches } from './switches';

/** Pages for a browser: the sandbox itself at its address, and one for each `url` of a record. */

const NEWEST = 20;
const SWITCHES_FORM = `${CONTROL_PREFIX}/form`;

export const pageRoutes = (app: FastifyInstance, service: Service) =>
	app.register(async (scope) => {
		const form = 'application/x-www-form-urlencoded';
		scope.addContentTypeParser(form, { parseAs: 'string' }, (_request, text, done) =>
			done(null, new URLSearchParams(String(text))),
		);
		// Anything else that is sent to a page is of no interest.
		scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
		scope.setErrorHandler((error, _request, reply) => {
			const { status, body } = toAnswer(error);
			return sendPage(reply.code(status), {
				title: 'Sorry',
				body: markup`<p>${body.error.message}</p>`,
			});
		});
		recordPages(scope, service);

		scope.get('/', async ({ ip }, reply) =>
			sendPage(reply, {
				title: 'Payment collection sandbox',
				body: markup`<p>Made-up data, no money moves.</p>
${isThisMachine(ip) ? overview(service) : 'Only the machine that it runs on can see its data.'}
<h2>Endpoints</h2><p>Each needs the header ${API_KEY_HEADER}.</p>
${recordTable(Object.values(ENDPOINTS), 'method', 'path')}`,
			}),
		);
		scope.post<{ Body: URLSearchParams | null }>(SWITCHES_FORM, async (request, reply) => {
			// A page of another site could send this form as well.
			const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
			if (!isThisMachine(request.ip) || site !== 'same-origin')
				throw new ServiceError(403, 'forbidden', 'Only from the page itself');
			service.setSwitches(
				Object.fromEntries([...(request.body ?? [])].map(([name, text]) => [name, fromJson(text)])),
			);
			return reply.redirect('/#switches', 303);
		});
	});

/** The columns are these fields of the rows. */
const recordTable = <Row extends object>(rows: readonly Row[], ...fields: (keyof Row & string)[]) =>
	table(
		fields,
		rows.map((row) => fields.map((field) => row[field])),
	);

/** Shows records, requests and switches. */
function overview({ store, switches, faults, requests, apiKey }: Service) {
	const { charges, customers, links, invoices, checkoutSessions } = store;
	const asked = requests.filter(({ path }) => path !== '/' && path !== '/favicon.ico');
	const minute = (created: string) => created.slice(0, 16).replace('T', ' ');
	const newestCharges = charges
		.slice(0, NEWEST)
		.map(({ charge }) => ({ ...charge, created: minute(charge.created) }));
	const newestCustomers = customers
		.slice(0, NEWEST / 2)
		.map((customer) => ({ ...customer, created: minute(customer.created) }));
	const newestLinks = links.slice(0, NEWEST / 2).map((stored) => ({
		...presentLink(stored, store.nowMs, switches),
		page: markup`<a href="${stored.link.url}">${stored.link.reference_id}</a>`,
	}));
	return markup`<p>${charges.size} charges, ${customers.size} customers, ${links.size} links,
${invoices.size} invoices and ${checkoutSessions.size} checkout sessions. Times are in UTC.</p>
<h2>Newest charges</h2>${recordTable(newestCharges, 'created', 'total', 'currency', 'refund_total', 'status', 'id')}
<h2>Newest links</h2>${recordTable(newestLinks, 'page', 'title', 'amount', 'currency', 'status')}
<h2>Newest customers</h2>${recordTable(newestCustomers, 'created', 'first_name', 'last_name', 'email')}
<h2>Requests so far: ${asked.length}</h2>
${table(
	['', 'Request', 'Key', 'Answer'],
	asked
		.slice(-NEWEST)
		.reverse()
		.map((entry) => requestCells(entry, apiKey)),
)}
<h2 id="switches">Switches for what the API documentation leaves open</h2>
<form method="post" action="${SWITCHES_FORM}">
${table(['Switch', 'Value', 'Meaning'], describeSwitches(switches).map(switchCells))}
<button>Set switches</button></form>
<h2>Faults staged: ${faults.length}</h2>
<p>Everything that can be staged: <a href="${CONTROL_PREFIX}">${CONTROL_PREFIX}</a></p>`;
}

function requestCells({ method, path, query, ...entry }: RequestEntry, apiKey: string) {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	const address = [path, parameters.join('&')].filter((part) => part !== '').join('?');
	return [
		`${Math.round((performance.now() - entry.startedAtMs) / 1_000)} s ago`,
		`${method} ${address}`.replaceAll(apiKey, '[key]'),
		entry.keyRight ? 'right' : entry.keySent ? 'wrong' : 'none',
		entry.status ?? (entry.endedAtMs === null ? 'open' : 'no answer'),
	];
}

/** Leaves text that isn't JSON as it is, for the switch's own check. */
function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The values of the form are JSON. */
function switchCells(one: ReturnType<typeof describeSwitches>[number]) {
	const { name, now, usually, values, meaning } = one;
	const [json, usual] = [now, usually].map((value) => JSON.stringify(value));
	const options = values?.map((value) => {
		const text = JSON.stringify(value);
		return markup`<option value="${text}" ${text === json && 'selected'}>${value}</option>`;
	});
	return [
		name,
		options
			? markup`<select name="${name}" aria-label="${name}">${options}</select>`
			: markup`<input name="${name}" aria-label="${name}" value="${json}">`,
		meaning + (json === usual ? '' : ` Changed: usually ${usual}.`),
	];
}
