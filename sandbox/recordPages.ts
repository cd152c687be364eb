import type { FastifyInstance, FastifyReply } from 'fastify';
import type { StoredLink } from './data/links';
import { type Markup, markup, sendPage, table } from './html';
import { expiryOf } from './linkExpiry';
import { decimalsOf, toMinor, toText } from './money';
import type { Service } from './service';
import type { Payment } from './store';

/** The pages behind the `url` of records, as a customer sees them. The page of a link takes payments. */

const MERCHANT = 'Sandbox Store';

/** The part that links, invoices, checkout sessions and charges share. */
interface Sale {
	items: { name: string; quantity: number; amount: string; total_amount: string }[];
	currency: string;
	discount: string | number;
	tax?: string;
	tip?: string;
	note?: string;
}

interface WithId {
	Params: { id: string };
	Body: URLSearchParams | undefined;
}

export function recordPages(app: FastifyInstance, service: Service): void {
	app.get<WithId>('/invoice/:id', async ({ params: { id } }, reply) => {
		const invoice = service.store.invoices.find(id);
		return show(reply, invoice.title, state(invoice.status), sale(invoice, invoice.amount));
	});
	app.get<WithId>('/checkout/:id', async ({ params: { id } }, reply) => {
		const session = service.store.checkoutSessions.find(id);
		const items = session.items.map((item) => ({ ...item, amount: item.unit_amount }));
		const whole = sale({ ...session, items }, session.amount);
		return show(reply, session.reference_id, state(session.status), whole);
	});
	app.get<WithId>('/pay/:id', async ({ params: { id } }, reply) =>
		showLink(reply, service, service.store.links.find(id)),
	);
	app.post<WithId>('/pay/:id', async ({ params: { id }, body }, reply) => {
		const stored = service.store.links.find(id);
		if (closedReason(service, stored)) return showLink(reply.code(410), service, stored);
		const entries = body ?? new URLSearchParams();
		const payment = paymentOf(stored, entries);
		if (typeof payment === 'string')
			return showLink(reply.code(400), service, stored, { entries, problem: payment });
		const charge = service.store.payLink(id, payment);
		if (stored.successUrl) return reply.redirect(stored.successUrl, 303);
		return show(
			reply,
			'Thank you',
			state('paid'),
			sale(charge, charge.total),
			payment.custom_fields.map(({ name, value }) => markup`<p>${name}: ${value}</p>`),
			markup`<p><small>Charge ${charge.id}</small></p>`,
		);
	});
}

const state = (status: string): Markup => markup`<p><mark>${status}</mark></p>`;

const show = (reply: FastifyReply, title: string, ...parts: unknown[]): string =>
	sendPage(reply, {
		title,
		narrow: true,
		above: markup`<p>${MERCHANT}</p>`,
		body: markup`${parts}<p><small>Sandbox: made-up data, no money moves.</small></p>`,
	});

function sale({ items, currency, note, discount, tax, tip }: Sale, total: unknown): Markup {
	const sums = Object.entries({ Discount: `-${discount}`, Tax: tax, Tip: tip });
	const strong = (text: unknown) => markup`<strong>${text}</strong>`;
	const rows = [
		...items.map((item) => [item.name, item.quantity, item.amount, item.total_amount]),
		...sums.flatMap(([name, sum]) => (Number(sum ?? 0) === 0 ? [] : [[name, '', '', sum]])),
		[strong(`Total in ${currency}`), '', '', strong(total)],
	];
	return markup`<p>${note}</p>${table(['Item', 'Quantity', 'Price', 'Amount'], rows)}`;
}

function closedReason({ store, switches }: Service, stored: StoredLink): string | undefined {
	const { status, expiry_date } = stored.link;
	const expiry = expiryOf(stored, store.nowMs, switches);
	if (expiry === 'payments') return 'This link has expired: all of its payments were made.';
	if (expiry === 'day') return `This link has expired. Its last day was ${expiry_date}.`;
	return status === 'disabled' ? 'This link is disabled.' : undefined;
}

const fieldName = (position: number): string => `field${position}`;

/** The payment that a customer entered, or the problem with it. */
function paymentOf({ link }: StoredLink, entries: URLSearchParams): Payment | string {
	const { currency, custom_fields, allow_tip } = link;
	const valueAt = (position: number) => entries.get(fieldName(position))?.trim() ?? '';
	const missing = custom_fields.find(
		({ is_required }, position) => is_required && valueAt(position) === '',
	);
	if (missing) return `Fill in ${missing.name}.`;
	const decimals = decimalsOf(currency);
	const tip = toMinor((allow_tip && entries.get('tip')?.trim()) || '0', decimals);
	if (tip === undefined || tip < 0n)
		return `The tip must be an amount in ${currency}, such as ${toText(500n, decimals)}, and not negative.`;
	const answers = custom_fields.map(({ name }, position) => ({ name, value: valueAt(position) }));
	return { tip, custom_fields: answers.filter(({ value }) => value !== '') };
}

/** Shows a link, with a form unless it is closed. The form of an attempt that failed keeps its entries. */
function showLink(
	reply: FastifyReply,
	service: Service,
	stored: StoredLink,
	attempt?: { entries: URLSearchParams; problem: string },
): string {
	const { link, payments } = stored;
	const { title, reference_id, currency, amount, expiry_date, payment_expiry_limit } = link;
	const input = (name: string, label: string, isRequired: boolean) =>
		markup`<label>${label}${!isRequired && ' (optional)'}
<input name="${name}" value="${attempt?.entries.get(name)}" ${isRequired && 'required'}></label>`;
	const fields = link.custom_fields.map(({ name, is_required }, position) =>
		input(fieldName(position), name, is_required),
	);
	const closed = closedReason(service, stored);
	return show(
		reply,
		title || reference_id,
		payments > 0 && state(payments === 1 ? 'paid' : `paid ${payments} times`),
		sale(link, amount),
		closed
			? markup`<p><strong>${closed}</strong></p>`
			: markup`<form method="post">${fields}${link.allow_tip && input('tip', `Tip in ${currency}`, false)}
<p role="alert"><strong>${attempt?.problem}</strong></p><button>Pay ${amount} ${currency}</button></form>`,
		expiry_date && markup`<p>Expires on ${expiry_date} at 11:59 PM.</p>`,
		payment_expiry_limit && markup`<p>Payments: ${payments} of ${payment_expiry_limit}</p>`,
	);
}
