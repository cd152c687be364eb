import type { Watched } from './changes/watchCharges';
import type { ChargeList } from './list/chargeList';
import type { Instant } from '../shared/timestamps';

/** What n8n's log is told of a poll that went on all the same. No contents of rows, no secrets. */
export function warningsOf(
	{ error, unreadable }: ChargeList,
	forgottenBefore: Instant | undefined,
	watched: Watched | undefined,
): string[] {
	const warnings: string[] = [];
	if (error !== undefined) {
		warnings.push(
			`A page of the charge list could not be read and will be read again: ${error.failure?.status ?? error.failure?.kind ?? error.message}`,
		);
	}
	if (unreadable > 0) {
		warnings.push(
			`${unreadable} rows of the charge list have no id or no creation time that can be read: they are passed over until they have`,
		);
	}
	if (forgottenBefore !== undefined) {
		warnings.push(
			`So many charges were created within the lookback that one created before ${forgottenBefore} UTC and listed late may be missed`,
		);
	}
	const { refunds = 0, statuses = 0 } = watched?.unreadable ?? {};
	if (refunds > 0) {
		warnings.push(
			`Charges whose refund_total can’t be read: ${refunds}. What was refunded of them is told once it can be.`,
		);
	}
	if (statuses > 0) {
		warnings.push(
			`Charges whose status can’t be read: ${statuses}. What became of them is told once it can be.`,
		);
	}
	if (watched?.wasShortened === true) {
		warnings.push(
			'So many charges are refunded or change their status that fewer days than Watch Days can be watched',
		);
	}
	return warnings;
}
