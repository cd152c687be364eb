import type { Charge } from './charge';

/** Of a status, in whose place nobody means another one by its capitals. */
export const sameCase = (status: string): string => status.toLowerCase();

/**
 * The Status filter of events. The nodes apply it and do not send it: a charge's status changes, so that charges would
 * come to the list and leave it, and nobody could tell which rows came in.
 */
export class StatusFilter {
	private readonly statuses: readonly string[] | undefined;

	/** @param statuses those to let through, in small letters or capitals; undefined for all */
	constructor(statuses: readonly string[] | undefined) {
		this.statuses = statuses?.map(sameCase);
	}

	get isSet(): boolean {
		return this.statuses !== undefined;
	}

	matches({ status }: Charge): boolean {
		return this.statuses?.includes(sameCase(status ?? '')) ?? true;
	}

	/** Whether one of the statuses to let through has a property. */
	some(has: (status: string) => boolean): boolean {
		return this.statuses?.some(has) ?? true;
	}
}
