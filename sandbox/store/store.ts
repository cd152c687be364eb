import type { Charge } from '../../contract/schemas/charge';
import type { CheckoutSession } from '../../contract/schemas/checkoutSession';
import type { Customer } from '../../contract/schemas/customer';
import type { Invoice } from '../../contract/schemas/invoice';
import type { LinkCreate, LinkEdit } from '../../contract/schemas/link';
import { onlySet } from './onlySet';
import { buildCharge, chargeId, type ChargeType, type StoredCharge } from '../data/charges';
import { buildCheckoutSession, checkoutInstant, checkoutSessionId } from '../data/checkoutSessions';
import { buildCustomer, customerId, customerInstant } from '../data/customers';
import { buildInvoice, invoiceId, invoiceInstant } from '../data/invoices';
import { buildLink, linkFromBody, linkId, linkInstant, type StoredLink } from '../data/links';
import { instantAt } from '../data/seeding';
import type { Counts, World } from '../data/world';
import { invalid, ServiceError } from '../behaviour/errors';
import { LazyTable } from './table';

export interface StoreOptions {
	seed: number;
	counts: Counts;
	/** Mean time between two seeded charges, ms. */
	chargeGapMs: number;
	/** Address of the sandbox, without a trailing slash. */
	url: string;
	/** The current instant, ms since the epoch; also the newest end of the seeded data. */
	clock: () => number;
}

/** A charge to insert: any fields of the record, and the two that only filters know. What is undefined is made up. */
export type ChargeDraft = {
	[Field in keyof Charge]?: Charge[Field] | undefined;
} & { customer_id?: string | undefined; type?: ChargeType | undefined };

/** Everything the sandbox knows. Same seed, counts and clock: same records, byte for byte. */
export class Store {
	readonly charges: LazyTable<StoredCharge>;
	readonly customers: LazyTable<Customer>;
	readonly links: LazyTable<StoredLink>;
	readonly invoices: LazyTable<Invoice>;
	readonly checkoutSessions: LazyTable<CheckoutSession>;
	private readonly world: World;
	private arrived = 0;

	constructor(readonly options: StoreOptions) {
		const { seed, counts, chargeGapMs, url, clock } = options;
		const latestMs = clock();
		const world: World = {
			seed,
			counts,
			latestMs,
			chargeGapMs,
			url,
			customerAt: (index) => this.customerAt(index, latestMs),
		};
		this.world = world;
		const table = <Row>(
			count: number,
			idAt: (seed: number, index: number) => string,
			createdAt: (index: number) => number,
			build: (index: number) => Row,
		) => new LazyTable({ count, idAt: (index) => idAt(seed, index), createdAt, build });

		const chargeInstant = (index: number) => instantAt(index, latestMs, chargeGapMs);
		this.charges = table(counts.charges, chargeId, chargeInstant, (index) =>
			buildCharge(world, index, chargeInstant(index)),
		);
		this.customers = table(
			counts.customers,
			customerId,
			(index) => customerInstant(index, latestMs),
			(index) => buildCustomer(seed, index, latestMs),
		);
		this.links = table(
			counts.links,
			linkId,
			(index) => linkInstant(index, latestMs),
			(index) => buildLink(world, index),
		);
		this.invoices = table(
			counts.invoices,
			invoiceId,
			(index) => invoiceInstant(index, latestMs),
			(index) => buildInvoice(world, index),
		);
		this.checkoutSessions = table(
			counts.checkoutSessions,
			checkoutSessionId,
			(index) => checkoutInstant(index, world),
			(index) => buildCheckoutSession(world, index),
		);
	}

	get nowMs(): number {
		return this.options.clock();
	}

	/**
	 * A new charge, created now unless the draft says otherwise; one created in the past takes its place
	 * among the others. Fields of the draft win over drawn ones. Throws when the id is taken.
	 */
	insertCharge({ customer_id, type, ...fields }: ChargeDraft = {}): Charge {
		this.arrived += 1;
		const createdMs = fields.created === undefined ? this.nowMs : Date.parse(fields.created);
		if (Number.isNaN(createdMs)) throw invalid('charge.created: must be an ISO 8601 date-time');
		if (fields.id !== undefined && this.charges.get(fields.id)) {
			throw new ServiceError(409, 'id_taken', `charge.id: ${fields.id} is taken`);
		}
		const { currency, total } = fields;
		const drawn = buildCharge(this.world, `new:${this.arrived}`, createdMs, { currency, total });
		const stored: StoredCharge = {
			charge: { ...drawn.charge, ...onlySet(fields) },
			customerId: customer_id ?? drawn.customerId,
			type: type ?? drawn.type,
		};
		this.charges.insert(stored.charge.id, createdMs, stored);
		return stored.charge;
	}

	updateCharge(id: string, change: (charge: Charge) => Charge): Charge | undefined {
		const stored = this.charges.get(id);
		if (!stored) return undefined;
		const charge = change(stored.charge);
		this.charges.replace(id, { ...stored, charge });
		return charge;
	}

	createLink(body: LinkCreate): StoredLink {
		this.arrived += 1;
		const key = `new:${this.arrived}@${this.world.latestMs}`;
		const stored = linkFromBody(this.world, key, this.nowMs, body);
		this.links.insert(stored.link.id, this.nowMs, stored);
		return stored;
	}

	editLink(id: string, { status, title }: LinkEdit): StoredLink | undefined {
		const stored = this.links.get(id);
		if (!stored) return undefined;
		const link = {
			...stored.link,
			status: status ?? stored.link.status,
			title: title ?? stored.link.title,
		};
		const edited = { ...stored, link };
		this.links.replace(id, edited);
		return edited;
	}

	/** Counts a payment of a link and records its charge. */
	payLink(id: string): Charge | undefined {
		const stored = this.links.get(id);
		if (!stored) return undefined;
		const { link } = stored;
		this.links.replace(id, { ...stored, payments: stored.payments + 1 });
		return this.insertCharge({
			type: 'link',
			currency: link.currency,
			total: link.amount,
			discount: link.discount,
			tax: link.tax,
			note: link.note,
			items: link.items.map(({ id: product, ...item }) => ({ ...item, product })),
		});
	}

	private customerAt(index: number, latestMs: number): Customer {
		const { seed, counts } = this.options;
		const id = customerId(seed, index);
		return (
			(index < counts.customers ? this.customers.get(id) : undefined) ??
			buildCustomer(seed, index, latestMs)
		);
	}
}
