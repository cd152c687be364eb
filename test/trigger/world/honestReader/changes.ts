import type { IDataObject, IPollFunctions } from 'n8n-workflow';

/** What a charge was refunded, and which statuses it had, as far as anybody saw. */
export interface Seen {
	readonly refund: string;
	readonly statuses: readonly string[];
}

/** What the user wants to be told of. */
export interface Wishes {
	readonly events: ReadonlySet<string>;
	/** Null stands for any. */
	readonly statuses: readonly string[] | null;
}

export function wishesOf(context: IPollFunctions): Wishes {
	const { status } = context.getNodeParameter('filters') as { status?: string };
	return {
		events: new Set(context.getNodeParameter('events') as string[]),
		statuses: status === undefined ? null : status.split(',').map((text) => text.trim()),
	};
}

export const hasWantedStatus = ({ status }: IDataObject, { statuses }: Wishes): boolean =>
	statuses === null || statuses.includes(status as string);

const itemOf = (event: string, row: IDataObject, value?: unknown): IDataObject => ({
	event,
	event_id: `${event}:${row['id'] as string}${value === undefined ? '' : `:${value as string}`}`,
	...row,
});

/** What is to be told of a row that is neither new nor silent. */
export function changesOf(row: IDataObject, seen: Seen | undefined, wishes: Wishes): IDataObject[] {
	if (seen === undefined || !hasWantedStatus(row, wishes)) return [];
	const items: IDataObject[] = [];
	if (row['refund_total'] !== seen.refund) {
		items.push(itemOf('charge.refunded', row, row['refund_total']));
	}
	if (!seen.statuses.includes(row['status'] as string)) {
		items.push(itemOf('charge.statusChanged', row, row['status']));
	}
	return items.filter(({ event }) => wishes.events.has(event as string));
}

/** What is to be told of a row that is new. */
export function newsOf(row: IDataObject, wishes: Wishes): IDataObject[] {
	const items = [itemOf('charge.created', row)];
	if (row['refund_total'] !== '0.00')
		items.push(itemOf('charge.refunded', row, row['refund_total']));
	return items.filter(({ event }) => wishes.events.has(event as string));
}

export const nowSeen = (row: IDataObject, seen: Seen | undefined): Seen => ({
	refund: row['refund_total'] as string,
	statuses: [...new Set([...(seen?.statuses ?? []), row['status'] as string])],
});
