/** @typedef {{ charged: bigint, refunded: bigint, charges: number }} Sums in 1/10000 of the currency, which no currency goes below */

const DIGITS = 4;

/** @param {string} amount */
function toWhole(amount) {
	const [whole = '', fraction = ''] = amount.split('.');
	return BigInt(whole + fraction.padEnd(DIGITS, '0'));
}

/**
 * @param {bigint} whole
 * @param {number} digits after the decimal point
 */
function toText(whole, digits) {
	const sign = whole < 0n ? '-' : '';
	const all = String(whole < 0n ? -whole : whole).padStart(DIGITS + 1, '0');
	const fraction = all.slice(-DIGITS).slice(0, digits);
	return sign + all.slice(0, -DIGITS) + (fraction === '' ? '' : `.${fraction}`);
}

const utcDay = (/** @type {Date} */ moment) => moment.toISOString().slice(0, 10);

/**
 * What the service holds, counted without n8n and without a database.
 *
 * @param {Pick<import('../../../../sandbox/index.js').Sandbox, 'store'>} sandbox
 * @param {object} [options]
 * @param {(charge: import('../../../../contract/schemas/charge.js').Charge) => boolean} [options.counts] which charges
 * @param {(moment: Date) => string} [options.dayOf] or of another period
 * @returns {Record<'day' | 'currency' | 'charges' | 'charged' | 'refunded' | 'net', string>[]} by day and currency
 */
export function serviceTotals({ store }, { counts = () => true, dayOf = utcDay } = {}) {
	/** @type {Map<string, Sums>} */
	const totals = new Map();
	/** @type {Map<string, number>} */
	const digits = new Map();
	const add = (
		/** @type {string} */ moment,
		/** @type {string} */ currency,
		/** @type {Partial<Sums>} */ { charged = 0n, refunded = 0n, charges = 0 },
	) => {
		const key = `${dayOf(new Date(moment))} ${currency}`;
		const sums = totals.get(key) ?? { charged: 0n, refunded: 0n, charges: 0 };
		sums.charged += charged;
		sums.refunded += refunded;
		sums.charges += charges;
		totals.set(key, sums);
	};
	for (const { charge } of store.charges.all()) {
		if (!counts(charge)) continue;
		digits.set(charge.currency, charge.total.split('.')[1]?.length ?? 0);
		add(charge.created, charge.currency, { charged: toWhole(charge.total), charges: 1 });
		for (const { created, amount } of charge.refunds)
			add(created, charge.currency, { refunded: toWhole(amount) });
	}
	return [...totals]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([key, { charged, refunded, charges }]) => {
			const [day = '', currency = ''] = key.split(' ');
			const write = (/** @type {bigint} */ whole) => toText(whole, digits.get(currency) ?? 0);
			return {
				day,
				currency,
				charges: String(charges),
				charged: write(charged),
				refunded: write(refunded),
				net: write(charged - refunded),
			};
		});
}
