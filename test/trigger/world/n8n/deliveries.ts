import type { IDataObject } from 'n8n-workflow';
import type { ModelCharge } from '../service/charge';

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All items that n8n has taken over from the trigger, by their `event_id`. */
export class Deliveries {
	readonly told = new Set<string>();
	/** Told again without a reason. */
	readonly twice: string[] = [];
	private readonly log: string[] = [];
	/** May be told again: n8n's save from before them is the one that counts. */
	private readonly forgiven = new Set<string>();

	get count(): number {
		return this.log.length;
	}

	accept(items: readonly IDataObject[]): void {
		for (const item of items) {
			const id = textOf(item['event_id']);
			if (this.told.has(id) && !this.forgiven.delete(id)) this.twice.push(id);
			this.told.add(id);
			this.log.push(id);
		}
	}

	/** Nobody can say whether they are told again. */
	forgive(charges: readonly ModelCharge[]): void {
		for (const { id } of charges) this.forgiven.add(`charge.created:${id}`);
	}

	/** A process that remembers nothing goes on from a save at which so many items were out. */
	forgiveSince(count: number): void {
		for (const id of this.log.slice(count)) this.forgiven.add(id);
	}
}
