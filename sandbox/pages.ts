import type { FastifyInstance, FastifyReply } from 'fastify';
import { performance } from 'node:perf_hooks';
import { API_KEY_HEADER, ENDPOINTS } from '../contract/constants';
import { CONTROL_PREFIX, isThisMachine } from './control';
import { notFound } from './errors';
import { presentLink } from './linkExpiry';
import type { RequestEntry } from './requestLog';
import type { Service } from './service';
import { describeSwitches } from './switches';

/** What a browser shows: the sandbox itself at its address, and a page for each `url` of a record. */

const SHOWN = 20;
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui; } main { max-width: 60rem; margin: 2rem auto; }
td { padding: .2rem 1.5rem .2rem 0; vertical-align: top; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }`;

/** Text as markup. */
const escaped = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const heading = (text: string): string => `<h2>${escaped(text)}</h2>`;

const table = (rows: readonly (readonly (string | number)[])[]): string => {
	const cells = (row: (typeof rows)[number]) => row.map((cell) => `<td>${escaped(String(cell))}`);
	return `<table>${rows.map((row) => `<tr>${cells(row).join('')}`).join('')}</table>`;
};

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
			heading(`Endpoints, with the header ${API_KEY_HEADER}`),
			table(Object.values(ENDPOINTS).map(({ method, path }) => [method, path])),
		),
	);

	const recordPage = (path: string, recordOf: (id: string) => PageRecord | undefined) =>
		app.get<WithId>(path, async ({ params: { id } }, reply) => {
			const record = recordOf(id);
			if (!record) throw notFound('page', id);
			const { title, reference_id, amount, currency, status } = record;
			const isPayable = path.startsWith('/pay/') && status === 'enabled';
			const button = isPayable ? '<form method="post"><button>Pay (sandbox)</button></form>' : '';
			return page(reply, title || reference_id, table([[`${amount} ${currency}`, status]]), button);
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
				: page(reply, 'Thank you', table([['Charge', charge.id]]));
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
	const stored = store.linkById(id);
	return { ...stored, link: presentLink(stored, store.nowMs, switches) };
}

/** What it holds, how it is set, and what was asked lately. */
function overview({ store, switches, faults, requests, apiKey }: Service): string[] {
	const { charges, customers, links, invoices, checkoutSessions } = store;
	const tables = { charges, customers, links, invoices, 'checkout sessions': checkoutSessions };
	const asked = requests.filter(({ path }) => path !== '/' && path !== '/favicon.ico');
	const newest = charges.slice(0, SHOWN).map(({ charge }) => charge);
	return [
		table(Object.entries(tables).map(([name, { size }]) => [size, name])),
		heading('Newest charges'),
		table(
			newest.map(({ created, total, currency, status, refund_total, source, id }) => [
				created,
				`${total} ${currency}`,
				status,
				`${refund_total} refunded`,
				source.card_holder_name,
				id,
			]),
		),
		heading(`Requests so far: ${asked.length}`),
		table(asked.slice(-SHOWN).reverse().map(requestCells)).replaceAll(escaped(apiKey), '[key]'),
		heading('Switches, for what the service’s document leaves open'),
		table(
			describeSwitches(switches).map(({ name, now, usually, meaning }) => [
				name,
				JSON.stringify(now),
				`usually ${JSON.stringify(usually)}`,
				meaning,
			]),
		),
		heading(`Faults staged: ${faults.list.length}`),
		`<p>All that can be set and staged is listed at <a href="${CONTROL_PREFIX}">${CONTROL_PREFIX}</a>,
which answers to this machine only.</p>`,
	];
}

function requestCells({ method, path, query, ...entry }: RequestEntry) {
	const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return [
		`${Math.round((performance.now() - entry.startedAtMs) / 1_000)} s ago`,
		`${method} ${[path, parameters.join('&')].filter((part) => part !== '').join('?')}`,
		entry.keyRight ? 'right key' : entry.keySent ? 'wrong key' : 'no key',
		entry.status ?? (entry.endedAtMs === null ? 'open' : 'no answer'),
	];
}
