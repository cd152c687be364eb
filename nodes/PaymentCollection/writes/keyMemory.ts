import type { DeduplicationHelperFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { processedDataOf, type ItemContext } from '../../shared/n8nAdapter';
import { asError } from '../../shared/values';
import { Queues } from './queues';

/** Keys that n8n keeps for a node, each with its content. Beyond that, n8n forgets the oldest. */
const MAX_KEYS = 10_000;

const OPTIONS = {
	node: { mode: 'entries', maxEntries: 2 * MAX_KEYS },
	workflow: { mode: 'entries', maxEntries: MAX_KEYS },
} as const;
/** Recording a node's first key fails if another process does the same at the same time. */
const MAX_RECORD_ATTEMPTS = 5;
/** A claim gives up after so many passes, in each of which another process has overwritten its entries. */
const MAX_PASSES = 20;

/** Minimum time that a claim has to stand, so that earlier changes by other processes are over. */
const LEAST_STAND_MS = 100;
const MOST_STAND_MS = 5_000;
/** Factor over the slowest recent change: another process can be slower than this one. */
const STAND_FACTOR = 4;
/** Each later change reduces the slowest time by 10 %. */
const DECAY = 0.9;

/** Serializes the changes of a node's keys in this process: n8n's memory has no lock. */
const queues = new Queues<string>();

let slowestMs = 0;

/** The entries that n8n keeps for a claimed key. */
interface Claim {
	readonly key: string;
	/** The key with the hash of its content. */
	readonly keyWithContent: string;
	/** While it stays, the key is in doubt: only a write that was certainly carried out, or certainly not, removes it. */
	readonly open: string;
	/** Random: shows whose claim it is. */
	readonly owner: string;
}

/** n8n keeps one list for the node, and one for all nodes of its workflow. */
type List = 'node' | 'workflow';

/** The keys of one node in one workflow, in n8n's database (its "processed data"). */
export class KeyMemory {
	private constructor(
		private readonly helpers: DeduplicationHelperFunctions,
		private readonly workflowId: string,
		private readonly nodeId: string,
	) {}

	static of(context: ItemContext): KeyMemory | undefined {
		const helpers = processedDataOf(context);
		if (helpers === undefined) return undefined;
		return new KeyMemory(helpers, String(context.getWorkflow().id), context.getNode().id);
	}

	/**
	 * n8n reads, changes and writes the whole list without a lock, so a process can overwrite the entries of another:
	 *
	 * 1. A, B and C find the key free. A records it with owner A. B overwrites that with owner B. C pauses before it writes.
	 * 2. One pass later, A finds the key without owner A: A takes back what it has just added, and gives up.
	 * 3. B finds owner B, and adds the key to the workflow's list, too: B has the key.
	 * 4. C overwrites B's entries, and one pass later finds owner C. But the workflow's list has the key: C gives up. A process
	 *    changes one list at a time, so its pause can't overwrite both.
	 *
	 * @param content hash of the content that the key is bound to
	 * @returns for a used key, whether its write was carried out, is in doubt, or had another content
	 */
	async claim(key: string, content: string): Promise<Claim | 'done' | 'inDoubt' | 'otherContent'> {
		// Keys contain no line break.
		const entry = (part: string | number): string => `${key}\n${part}`;
		const keyWithContent = entry(content);
		const open = entry('open');
		const owner = entry(clock.random());
		for (let pass = 0; pass < MAX_PASSES; pass += 1) {
			const isNew = await this.record('node', [key, keyWithContent, open, owner]);
			if (isNew(key)) {
				await clock.sleep(standMs());
				continue;
			}
			const hasStood = pass > 0 && !isNew(owner);
			if (!hasStood) {
				await this.remove('node', [keyWithContent, open, owner].filter(isNew));
				return isNew(keyWithContent) ? 'otherContent' : isNew(open) ? 'done' : 'inDoubt';
			}
			if (await this.recordInWorkflow(key)) return { key, keyWithContent, open, owner };
			// Only our owner is taken back. The other entries replace those that we overwrote, so that the key stays used.
			await this.remove('node', [owner]);
			return 'inDoubt';
		}
		throw new Error('too many other executions are using it at the moment');
	}

	/** The key stays used, and open if in doubt. Records everything again, in case another process overwrote it. */
	async settle({ key, keyWithContent, open, owner }: Claim, isDone: boolean): Promise<void> {
		await this.remove('node', isDone ? [owner, open] : [owner]);
		await this.record('node', isDone ? [key, keyWithContent] : [key, keyWithContent, open]);
		await this.recordInWorkflow(key);
	}

	async release({ key, keyWithContent, open, owner }: Claim): Promise<void> {
		await this.remove('workflow', [this.inWorkflow(key)]).catch(ignoreOtherMode);
		await this.remove('node', [key, keyWithContent, open, owner]);
	}

	private inWorkflow(key: string): string {
		return `${this.nodeId} ${key}`;
	}

	/** @returns whether the key was not there */
	private async recordInWorkflow(key: string): Promise<boolean> {
		const entry = this.inWorkflow(key);
		const isNew = await this.record('workflow', [entry]).catch(ignoreOtherMode);
		return isNew === undefined || isNew(entry);
	}

	private async remove(list: List, entries: string[]): Promise<void> {
		await this.change(async () => await this.helpers.removeProcessed(entries, list, OPTIONS[list]));
	}

	/** @returns a function: true for an entry that was not there */
	private async record(
		list: List,
		entries: string[],
		attempt = 1,
	): Promise<(entry: string) => boolean> {
		const found = await this.change(
			async () => await this.helpers.checkProcessedAndRecord(entries, list, OPTIONS[list]),
		).catch((error: unknown) => {
			if (attempt < MAX_RECORD_ATTEMPTS && isRace(error)) return undefined;
			throw error;
		});
		if (found === undefined) return await this.record(list, entries, attempt + 1);
		if (found.new.length + found.processed.length < entries.length)
			throw new Error('n8n stores something other than keys for this node');
		return (entry) => found.new.includes(entry);
	}

	private async change<T>(act: () => Promise<T>): Promise<T> {
		return await queues.inTurn(`${this.workflowId} ${this.nodeId}`, async () => {
			const began = clock.elapsed();
			try {
				return await act();
			} finally {
				slowestMs = Math.max(clock.elapsed() - began, slowestMs * DECAY);
			}
		});
	}
}

const standMs = (): number =>
	Math.min(MOST_STAND_MS, Math.max(LEAST_STAND_MS, STAND_FACTOR * slowestMs));

/** n8n's Remove Duplicates can use the workflow's list in another way. Then only the node's list protects the key. */
function ignoreOtherMode(error: unknown): undefined {
	if (!/incompatible setting/i.test(asError(error).message)) throw error;
}

/** Two processes made the first entry of the node: "UNIQUE constraint failed", "duplicate key value violates unique …". */
const isRace = (error: unknown): boolean => /unique|duplicate/i.test(asError(error).message);
