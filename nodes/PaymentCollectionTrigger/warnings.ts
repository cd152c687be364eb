import type { Watched } from './changes/watchCharges';
import type { ChargeList } from './list/chargeList';
import type { Instant } from '../shared/timestamps';

/** What n8n's log is told of a poll that went on all the same. No contents of rows, no secrets. */
export function warningsOf(
	{ error, unreadable }: ChargeList,
	forgottenBefore?: Instant,
	watched?: Watched,
): string[] {
	const { refunds = 0, statuses = 0 } = watched?.unreadable ?? {};
	const warnings = [
		error !== undefined &&
			`A page of the charge list could not be read and will be read again: ${error.failure?.status ?? error.failure?.kind ?? error.message}`,
		unreadable > 0 &&
			`Charges that have no id or no creation time that can be read: ${unreadable}. They are passed over until they have.`,
		forgottenBefore !== undefined &&
			`So many charges were created within the lookback that one created before ${forgottenBefore} UTC and listed late may be missed`,
		refunds > 0 &&
			`Charges whose refund_total can’t be read: ${refunds}. What was refunded of them is told once it can be.`,
		statuses > 0 &&
			`Charges whose status can’t be read: ${statuses}. What became of them is told once it can be.`,
		watched?.wasShortened === true &&
			'So many charges are refunded or change their status that fewer days than Watch Days can be watched',
	];
	return warnings.filter((text) => text !== false);
}
