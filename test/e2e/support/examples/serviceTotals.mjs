const utcDay = (/** @type {string} */ moment) => new Date(moment).toISOString().slice(0, 10);

/** @param {string[]} amounts of one currency, which all have its digits */
const sum = (amounts) =>
	amounts.reduce((units, amount) => units + BigInt(amount.replace('.', '')), 0n);

/**
 * Totals of the service, counted without n8n and without a database.
 *
 * @param {import('../../../../contract/schemas/charge.js').Charge[]} charges
 * @returns {Record<'day' | 'currency' | 'charges' | 'charged' | 'refunded' | 'net', string>[]} by day, or another period,
 *   and currency
 */
export function serviceTotals(charges, dayOf = utcDay) {
	/** @type {Map<string, { charged: string[], refunded: string[] }>} */
	const groups = new Map();
	const groupOf = (/** @type {string} */ moment, /** @type {string} */ currency) => {
		const key = `${dayOf(moment)} ${currency}`;
		const group = groups.get(key) ?? { charged: [], refunded: [] };
		groups.set(key, group);
		return group;
	};
	for (const { created, currency, total, refunds } of charges) {
		groupOf(created, currency).charged.push(total);
		for (const refund of refunds) groupOf(refund.created, currency).refunded.push(refund.amount);
	}
	return [...groups]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([key, { charged, refunded }]) => {
			const [day = '', currency = ''] = key.split(' ');
			const digits = [...charged, ...refunded][0]?.split('.')[1]?.length ?? 0;
			const written = (/** @type {bigint} */ units) => {
				const text = String(units).replace(/\d+/, (all) => all.padStart(digits + 1, '0'));
				return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
			};
			return {
				day,
				currency,
				charges: String(charged.length),
				charged: written(sum(charged)),
				refunded: written(sum(refunded)),
				net: written(sum(charged) - sum(refunded)),
			};
		});
}
