import './clock';
import { sandbox, useSandbox } from './sandbox';
import { PLANTED } from './secrets/secrets';

/** For the file that imports this: empty at the start of each of its tests, in which no wait takes time. */
export { sandbox };

useSandbox({
	apiKey: PLANTED.apiKey,
	counts: { charges: 0, customers: 0, links: 0, invoices: 0, checkoutSessions: 0 },
});

/** A charge of which nothing is refunded. @returns its ID */
export function newCharge(total = '20.00', currency = 'USD'): string {
	return sandbox.insertCharge({ currency, total, refund_total: '0', refunds: [] }).id;
}

/** The refunds of a charge that the service has carried out, by their amounts. */
export const executed = (charge: string): string[] =>
	(sandbox.store.charges.get(charge)?.charge.refunds ?? []).map(({ amount }) => amount);

/** How many refunds of a charge were asked for. */
export const posted = (charge: string): number =>
	sandbox.requests.filter(({ method, path }) => method === 'POST' && path.includes(charge)).length;
