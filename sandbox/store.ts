import type { Charge } from '../contract/schemas/charge';
import type { CheckoutSession } from '../contract/schemas/checkoutSession';
import type { Customer } from '../contract/schemas/customer';
import type { Invoice } from '../contract/schemas/invoice';
import type { LinkCreate, LinkEdit } from '../contract/schemas/link';
import { buildCharge, charges, type ChargeType, type StoredCharge } from './data/charges';
import { checkoutSessions } from './data/checkoutSessions';
import { customers } from './data/customers';
import { invoices } from './data/invoices';
import { linkFromBody, links, type StoredLink } from './data/links';
import { instantOf, iso, type World } from './data/world';
import { invalid, ServiceError } from './errors';
import { decimalsOf, toMinor, toText } from './money';
import { LazyTable } from './table';

export interface StoreOptions extends Pick<World, 'seed' | 'counts' | 'url'> {
	/** The current instant, ms since the epoch; also the newest end of the seeded data. */
	clock: () => number;
}

/** Any fields of a record to insert. What is undefined is made up. */
type Draft<Record> = { [Field in keyof Record]?: Record[Field] | undefined };

export type CustomerDraft = Draft<Customer>;

/** The fields of a charge, and two that only filters know. */
export type ChargeDraft = Draft<Charge> & {
	customer_id?: string | undefined;
	type?: ChargeType | undefined;
};

/** Entries of a customer on the page of a link. The tip is in minor units. */
export interface Payment {
	tip: bigint;
	custom_fields: { name: string; value: string }[];
}

/** All records of the sandbox. Same seed, counts and clock: same records, byte for byte. */
export class Store {
	readonly charges: LazyTable<StoredCharge>;
	readonly customers: LazyTable<Customer>;
	readonly links: LazyTable<StoredLink>;
	readonly invoices: LazyTable<Invoice>;
	readonly checkoutSessions: LazyTable<CheckoutSession>;
	private readonly world: World;
	private arrived = 0;

	constructor(readonly options: StoreOptions) {
		const { counts } = options;
		const world: World = {
			...options,
			latestMs: options.clock(),
			// The same one always, whatever customers arrive: the table's positions move.
			customerFor: (number) => {
				const index = number % Math.max(1, counts.customers);
				return customers.build(world, index, instantOf(customers, world, index));
			},
		};
		this.world = world;
		this.charges = new LazyTable(charges, world, counts.charges);
		this.customers = new LazyTable(customers, world, counts.customers);
		this.links = new LazyTable(links, world, counts.links);
		this.invoices = new LazyTable(invoices, world, counts.invoices);
		this.checkoutSessions = new LazyTable(checkoutSessions, world, counts.checkoutSessions);
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
		const drawn = buildCharge(this.world, this.arrived, createdMs, fields);
		const stored: StoredCharge = {
			charge: { ...drawn.charge, ...given(fields) },
			customerId: customer_id ?? drawn.customerId,
			type: type ?? drawn.type,
		};
		this.charges.insert(stored.charge.id, createdMs, stored);
		return stored.charge;
	}

	/** A new customer; what the draft leaves out is made up. */
	insertCustomer(draft: CustomerDraft = {}): Customer {
		this.arrived += 1;
		const created = draft.created ?? iso(this.nowMs);
		const number = this.options.counts.customers + this.arrived;
		const customer = {
			...customers.build(this.world, number, Date.parse(created)),
			...given(draft),
		};
		this.customers.insert(customer.id, Date.parse(created), customer);
		return customer;
	}

	/** Throws 404 where there is no such charge. */
	changeCharge(id: string, change: (charge: Charge) => Charge): Charge {
		const stored = this.charges.find(id);
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

	editLink(id: string, edit: LinkEdit): StoredLink {
		const stored = this.links.find(id);
		const edited = { ...stored, link: Object.assign({ ...stored.link }, edit) };
		this.links.replace(id, edited);
		return edited;
	}

	/** Counts a payment of a link, whatever its status, and records its charge. */
	payLink(id: string, { tip, custom_fields }: Payment = { tip: 0n, custom_fields: [] }): Charge {
		const stored = this.links.find(id);
		const { currency, amount, discount, tax, note, items } = stored.link;
		const decimals = decimalsOf(currency);
		this.links.replace(id, { ...stored, payments: stored.payments + 1 });
		return this.insertCharge({
			type: 'link',
			total: toText((toMinor(amount, decimals) ?? 0n) + tip, decimals),
			tip: toText(tip, decimals),
			items: items.map(({ id: product, ...item }) => ({ ...item, product })),
			...{ currency, discount, tax, note, custom_fields },
		});
	}
}

const given = <Record extends object>(draft: Draft<Record>): Partial<Record> =>
	Object.fromEntries(
		Object.entries(draft).filter(([, value]) => value !== undefined),
	) as Partial<Record>;
