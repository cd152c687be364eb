import type { Charge } from './charge';

/**
 * The Status filter of events. The nodes apply it and do not send it: a charge's status changes, so that charges would
 * come to the list and leave it, and nobody could tell which rows came in.
 */
export class StatusFilter {
	/** @param statuses those to let through; undefined for all */
	constructor(private readonly statuses: readonly string[] | undefined) {}

	get isSet(): boolean {
		return this.statuses !== undefined;
	}

	matches({ status }: Charge): boolean {
		return this.statuses?.some((wanted) => wanted === status) ?? true;
	}

	/** Whether one of the statuses to let through has a property. */
	some(has: (status: string) => boolean): boolean {
		return this.statuses?.some(has) ?? true;
	}
}
