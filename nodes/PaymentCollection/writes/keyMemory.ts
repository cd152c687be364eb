import type { DeduplicationHelperFunctions } from 'n8n-workflow';
import type { ItemContext } from '../run/item';
import { Queues } from './queues';

/** Keys that n8n keeps for a node; beyond that the oldest are forgotten. */
export const MAX_KEYS = 10_000;

const SCOPE = 'node';
const OPTIONS = { mode: 'entries', maxEntries: MAX_KEYS } as const;
/** A first claim of a node fails when another process makes the first claim of the same node at the same time. */
const MAX_CLAIMS = 5;

/** One after another for all keys of a node in this process: n8n's memory knows no lock. */
const queues = new Queues<string>();

type Helpers = Pick<DeduplicationHelperFunctions, 'checkProcessedAndRecord' | 'removeProcessed'>;

/** The keys of one node in one workflow, in n8n's own database (its "processed data"). */
export class KeyMemory {
	private constructor(
		private readonly helpers: Helpers,
		/** The node in its workflow. */
		private readonly place: string,
	) {}

	/** Undefined where n8n offers no such memory: in old versions, and where an older agent runs the node as a tool. */
	static of(context: ItemContext): KeyMemory | undefined {
		const { helpers } = context as { helpers: Partial<Helpers> };
		const { checkProcessedAndRecord, removeProcessed } = helpers;
		if (checkProcessedAndRecord === undefined || removeProcessed === undefined) return undefined;
		const place = `${String(context.getWorkflow().id)} ${context.getNode().id}`;
		return new KeyMemory({ checkProcessedAndRecord, removeProcessed }, place);
	}

	/** @returns whether the key is new, and recorded now */
	async claim(key: string): Promise<boolean> {
		return await queues.inTurn(this.place, async () => {
			const isNew = await this.record(key);
			// n8n reads, changes and writes the whole list: another process may have wiped what was just recorded.
			if (isNew) await this.record(key);
			return isNew;
		});
	}

	/** Records again a key that is claimed already, in case another process has wiped it meanwhile. */
	async keep(key: string): Promise<void> {
		await queues.inTurn(this.place, async () => await this.record(key));
	}

	/** The key may be used again. */
	async release(key: string): Promise<void> {
		await queues.inTurn(this.place, async () => {
			await this.helpers.removeProcessed([key], SCOPE, OPTIONS);
		});
	}

	private async record(key: string, attempt = 1): Promise<boolean> {
		const found = await this.helpers
			.checkProcessedAndRecord([key], SCOPE, OPTIONS)
			.catch((error: unknown) => {
				if (attempt < MAX_CLAIMS && isRace(error)) return undefined;
				throw error;
			});
		if (found === undefined) return await this.record(key, attempt + 1);
		if (found.new.includes(key)) return true;
		if (found.processed.includes(key)) return false;
		throw new Error('n8n keeps something else than keys for this node');
	}
}

/** Two processes made the first entry of the node: "UNIQUE constraint failed", "duplicate key value violates unique …". */
const isRace = (error: unknown): boolean =>
	/unique|duplicate/i.test(error instanceof Error ? error.message : String(error));
