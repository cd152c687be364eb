import type { FastifyInstance, FastifyReply } from 'fastify';
import { performance } from 'node:perf_hooks';
import { API_KEY_HEADER, ENDPOINTS } from '../contract/constants';
import { CONTROL_PREFIX, isThisMachine } from './control';
import { notFound, ServiceError } from './errors';
import { presentLink } from './linkExpiry';
import type { RequestEntry } from './requestLog';
import type { Service } from './service';
import { describeSwitches } from './switches';

/** What a browser shows: the sandbox itself at its address, and a page for each `url` of a record. */

const NEWEST = 20;
const SECTIONS = ['charges', 'customers', 'requests', 'switches', 'faults', 'endpoints'];
const SWITCHES_FORM = `${CONTROL_PREFIX}/form`;
/** Only what may be long wraps, so that no other column is squeezed until its words break. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui; }
@media (max-width: 60rem) { :root { font-size: 13px; } }
main { max-width: 68rem; margin: 1.5rem auto; padding: 0 1rem; }
a { margin-right: .8rem; } table { border-collapse: collapse; }
th, td { padding: .2rem 1.2rem .2rem 0; text-align: left; vertical-align: top; white-space: nowrap;
border-bottom: 1px solid #8884; } th { font-weight: normal; opacity: .7; } td:last-child { padding: .2rem 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.id { font: .78rem/1.9 ui-monospace, monospace; } .long { white-space: normal; overflow-wrap: anywhere; }
input { field-sizing: content; min-width: 5rem; } input, select, button { font: inherit; margin: .1rem 0; }`;

/** Text as markup. */
const escaped = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const heading = (text: string, id = ''): string => `<h2 id="${id}">${escaped(text)}</h2>`;

const cell = (value: string | number, look = ''): string =>
	`<td class="${look}">${escaped(String(value))}`;

/** The points of all currencies below each other: what a currency lacks of three decimals is as wide as digits are. */
function amountCell(amount: string): string {
	const [whole = '', decimals] = amount.split('.');
	const point = decimals === undefined ? '\u2008' : '.';
	return cell(`${whole}${point}${(decimals ?? '').padEnd(3, '\u2007')}`, 'number');
}

/** Of "Fri, 27 Nov 2026 01:30:28 GMT" the day and the minute. */
function timeCell(created: string): string {
	const time = new Date(created).toUTCString();
	return cell(`${time.slice(8, 11)} ${time.slice(5, 7)}, ${time.slice(17, 22)}`);
}

/** Rows of whole cells below the names of their columns. A name that begins with > stands to the right, as numbers do. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	const names = columns
		.map((name) => (name.startsWith('>') ? `<th class="number">${name.slice(1)}` : `<th>${name}`))
		.join('');
	return `<table><tr>${names}${rows.map((row) => `<tr>${row.join('')}`).join('')}</table>`;
}

/** A whole page that asks for nothing else: no script, no picture, no font. */
function page(reply: FastifyReply, title: string, ...parts: string[]): string {
	reply.headers({
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
		'Cache-Control': 'no-store',
	});
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style><main><h1>${escaped(title)}</h1>${parts.join('\n')}
<p>Sandbox: made-up data, no money moves.</p></main></html>`;
}

interface WithId {
	Params: { id: string };
}

export function pageRoutes(app: FastifyInstance, service: Service): void {
	app.get('/', async ({ ip }, reply) =>
		page(
			reply,
			'Payment collection sandbox',
			// To other machines, only that it is one.
			...(isThisMachine(ip) ? overview(service) : []),
			heading('Endpoints', 'endpoints'),
			`<p>Each needs the header ${API_KEY_HEADER}.</p>`,
			table(
				['Method', 'Path'],
				Object.values(ENDPOINTS).map(({ method, path }) => [cell(method), cell(path)]),
			),
		),
	);

	const recordPage = (path: string, recordOf: (id: string) => PageRecord | undefined) =>
		app.get<WithId>(path, async ({ params: { id } }, reply) => {
			const record = recordOf(id);
			if (!record) throw notFound('page', id);
			const { title, reference_id, amount, currency, status } = record;
			const isPayable = path.startsWith('/pay/') && status === 'enabled';
			const button = isPayable ? '<form method="post"><button>Pay (sandbox)</button></form>' : '';
			const about = `<p>${escaped(`${amount} ${currency}, ${status}`)}</p>`;
			return page(reply, title || reference_id, about, button);
		});
	recordPage('/invoice/:id', (id) => service.store.invoices.get(id));
	recordPage('/checkout/:id', (id) => service.store.checkoutSessions.get(id));
	recordPage('/pay/:id', (id) => linkNow(service, id).link);

	app.register(async (scope) => {
		// The button's form has no fields; whatever a browser sends with it is of no interest.
		scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
		scope.post<WithId>('/pay/:id', async ({ params: { id } }, reply) => {
			const { link, successUrl } = linkNow(service, id);
			if (link.status !== 'enabled') return page(reply.code(410), 'This link is closed');
			const charge = service.payLink(id);
			return successUrl
				? reply.redirect(successUrl, 303)
				: page(reply, 'Thank you', `<p>Charge ${charge.id}</p>`);
		});
	});

	app.register(async (scope) => {
		const type = 'application/x-www-form-urlencoded';
		scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) =>
			done(null, new URLSearchParams(String(body))),
		);
		scope.post<{ Body: URLSearchParams }>(SWITCHES_FORM, async (request, reply) => {
			// A page of another site could send this form as well.
			const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
			if (!isThisMachine(request.ip) || site !== 'same-origin')
				throw new ServiceError(403, 'forbidden', 'Only from the page itself');
			service.setSwitches(
				Object.fromEntries([...request.body].map(([name, text]) => [name, fromJson(text)])),
			);
			return reply.redirect('/#switches', 303);
		});
	});
}

interface PageRecord {
	title?: string;
	reference_id: string;
	amount: string | number;
	currency: string;
	status: string;
}

function linkNow({ store, switches }: Service, id: string) {
	const stored = store.links.find(id);
	return { ...stored, link: presentLink(stored, store.nowMs, switches) };
}

/** What it holds, how it is set, and what was asked lately. */
function overview({ store, switches, faults, requests, apiKey }: Service): string[] {
	const { charges, customers, links, invoices, checkoutSessions } = store;
	const asked = requests.filter(({ path }) => path !== '/' && path !== '/favicon.ico');
	return [
		...SECTIONS.map((name) => `<a href="#${name}">${name}</a>`),
		`<p>${charges.size} charges, ${customers.size} customers, ${links.size} links,
${invoices.size} invoices and ${checkoutSessions.size} checkout sessions. Times are in UTC.</p>`,
		heading('Newest charges', 'charges'),
		table(
			['Created', '', '>Total', '>Refunded', 'Status', 'Cardholder', 'ID'],
			charges
				.slice(0, NEWEST)
				.map(({ charge }) => [
					timeCell(charge.created),
					cell(charge.currency),
					amountCell(charge.total),
					amountCell(charge.refund_total),
					cell(charge.status),
					cell(charge.source.card_holder_name),
					cell(charge.id, 'id'),
				]),
		),
		heading('Newest customers', 'customers'),
		table(
			['Created', 'Name', 'Email'],
			customers
				.slice(0, NEWEST / 2)
				.map(({ created, first_name, last_name, email }) => [
					timeCell(created),
					cell(`${first_name} ${last_name}`),
					cell(email),
				]),
		),
		heading(`Requests so far: ${asked.length}`, 'requests'),
		table(
			['', 'Request', 'Key', 'Answer'],
			asked.slice(-NEWEST).reverse().map(requestCells),
		).replaceAll(escaped(apiKey), '[key]'),
		heading('Switches for what the API documentation leaves open', 'switches'),
		`<form method="post" action="${SWITCHES_FORM}">`,
		table(['Switch', 'Value', 'Meaning'], describeSwitches(switches).map(switchCells)),
		'<button>Set switches</button></form>',
		heading(`Faults staged: ${faults.list.length}`, 'faults'),
		`<p>Everything that can be staged: <a href="${CONTROL_PREFIX}">${CONTROL_PREFIX}</a></p>`,
	];
}

function requestCells({ method, path, query, ...entry }: RequestEntry): string[] {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	const address = [path, parameters.join('&')].filter((part) => part !== '').join('?');
	return [
		cell(`${Math.round((performance.now() - entry.startedAtMs) / 1_000)} s ago`, 'number'),
		cell(`${method} ${address}`, 'long'),
		cell(entry.keyRight ? 'right' : entry.keySent ? 'wrong' : 'none'),
		cell(entry.status ?? (entry.endedAtMs === null ? 'open' : 'no answer')),
	];
}

/** What isn't JSON stays text, and the switch's own check decides. */
function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The values of the form are JSON. */
function switchCells(one: ReturnType<typeof describeSwitches>[number]): string[] {
	const { name, now, usually, values, meaning } = one;
	const [json, usual] = [now, usually].map((value) => escaped(JSON.stringify(value)));
	const options = values?.map((value) => {
		const text = escaped(JSON.stringify(value));
		return `<option value="${text}"${text === json ? ' selected' : ''}>${escaped(String(value))}`;
	});
	return [
		cell(name),
		options
			? `<td><select name="${name}">${options.join('')}</select>`
			: `<td><input name="${name}" value="${json}">`,
		cell(meaning + (json === usual ? '' : ` Changed: usually ${JSON.stringify(usually)}.`), 'long'),
	];
}
