import { sameCase } from '../../shared/charges/statusFilter';
import { withoutSpareZeros } from '../../shared/charges/refundTotal';
import { budgets } from '../budgets';
import { DatedKeys, hashOf } from '../state/datedKeys';
import type { ChargeRow } from '../list/chargePages';
import type { Watch } from '../state/state';

const REFUND_LENGTH = 5;
/** Refund totals of one charge that are remembered, the last ones. */
const MAX_REFUNDS = 20;
/** A status is written as one digit. */
const BASE = 36;

/** What a charge was seen with. */
export interface Had {
	/** In small letters; absent where nobody asked for statuses. */
	readonly statuses?: readonly string[];
	/** Hashes of refund totals. */
	readonly refunds: readonly string[];
}

export const refundHash = ({ id, refundTotal = '' }: ChargeRow): string =>
	hashOf([id, withoutSpareZeros(refundTotal)], REFUND_LENGTH);

/**
 * Writes down that known charges are ordinary, where nothing else is remembered of them: from now on, nothing is known of
 * a charge without a fact.
 */
export function writeOrdinary(watch: Watch, known: DatedKeys): void {
	const keys = new DatedKeys(watch.facts);
	const facts = new Facts(watch, keys);
	for (const [key, created] of known.newest(budgets.factKeys / 2))
		if (!keys.has(key)) facts.set({ key, created }, facts.ordinary);
	watch.facts = keys.toText();
}

/** Nobody has asked for statuses for a while, so what is known of them is out of date. */
export function forgetStatuses(watch: Watch): void {
	const keys = new DatedKeys(watch.facts);
	for (const [key, created] of keys.newest(keys.size))
		keys.set(key, created, keys.get(key)?.replace(/^[^.]*/, ''));
	watch.facts = keys.toText();
	delete watch.usualStatus;
}

/** What is remembered of watched charges, but for those that are ordinary: of the usual status, and never refunded. */
export class Facts {
	constructor(
		private readonly watch: Watch,
		private readonly keys: DatedKeys,
	) {}

	get ordinary(): Had {
		const { usualStatus } = this.watch;
		return usualStatus === undefined ? { refunds: [] } : { statuses: [usualStatus], refunds: [] };
	}

	/** @returns undefined for a charge of which nothing is remembered */
	of({ key }: ChargeRow): Had | undefined {
		const text = this.keys.get(key);
		if (text === undefined) return undefined;
		const [digits = '', ...refunds] = text.split('.');
		if (digits === '') return { refunds };
		const names = Array.from(
			digits,
			(digit) => this.watch.statusNames[Number.parseInt(digit, BASE)],
		);
		return { statuses: names.filter((name) => name !== undefined), refunds };
	}

	set({ key, created }: Pick<ChargeRow, 'key' | 'created'>, { statuses = [], refunds }: Had): void {
		const digits = statuses.map((status) => this.numberOf(status).toString(BASE)).join('');
		this.keys.set(key, created, [digits, ...refunds.slice(-MAX_REFUNDS)].join('.'));
	}

	isOrdinary({ statuses = [], refunds }: Had): boolean {
		const { usualStatus } = this.watch;
		return statuses.every((status) => status === usualStatus) && refunds.length === 0;
	}

	/** A status as it is compared; undefined where it can't be read, or there are too many to tell them apart. */
	statusOf({ status }: ChargeRow): string | undefined {
		if (status === undefined) return undefined;
		const name = sameCase(status);
		return this.numberOf(name) < BASE ? name : undefined;
	}

	private numberOf(name: string): number {
		const { statusNames } = this.watch;
		const present = statusNames.indexOf(name);
		if (present >= 0 || statusNames.length === BASE) return present < 0 ? BASE : present;
		return statusNames.push(name) - 1;
	}
}
