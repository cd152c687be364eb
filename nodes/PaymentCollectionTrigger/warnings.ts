import { ServiceFailure } from '../shared/errors/failures';
import type { ChargeList } from './list/chargeList';
import type { Instant } from './timestamps';

/** What n8n's log is told of a poll that went on all the same. No contents of rows, no secrets. */
export function warningsOf(
	{ error, unreadable }: ChargeList,
	forgottenBefore: Instant | undefined,
	wasShortened: boolean,
): string[] {
	const warnings: string[] = [];
	if (error instanceof ServiceFailure) {
		warnings.push(
			`A page of the charge list could not be read and will be read again: ${error.failure.status ?? error.failure.kind}`,
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
	if (wasShortened) {
		warnings.push(
			'So many charges are refunded or change their status that fewer days than Watch Days can be watched',
		);
	}
	return warnings;
}
