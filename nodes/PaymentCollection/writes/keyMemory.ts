import type { DeduplicationHelperFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { processedDataOf, type ItemContext } from '../../shared/n8nAdapter';
import { asError } from '../../shared/values';
import { Queues } from './queues';

/** Keys that n8n keeps for a node, each with its use. Beyond that, n8n forgets the oldest. */
const MAX_KEYS = 10_000;

const OPTIONS = {
	node: { mode: 'entries', maxEntries: 2 * MAX_KEYS },
	workflow: { mode: 'entries', maxEntries: MAX_KEYS },
} as const;
/** Recording a node's first key fails if another process does the same at the same time. */
const MAX_RECORD_ATTEMPTS = 5;
/** Rounds after which a claim gives up: writes for other keys wiped it each time. */
const MAX_ROUNDS = 20;

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
	readonly use: string;
	/** While it stays, the key is in doubt: only a write that was certainly carried out, or certainly not, removes it. */
	readonly open: string;
	readonly mark: string;
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
	 * n8n reads, changes and writes the whole list, without a lock. Processes A and B both find a key free. A writes it with
	 * A's mark. B, which read before that, overwrites both with its own. A round later, A finds the key but not its mark, and
	 * gives up. B finds its mark, and has the key.
	 *
	 * A process that pauses for longer than a round can still overwrite B's entries. So B then writes the key into a second
	 * list, where that process finds it: a process changes one list at a time, so its pause can't overwrite both.
	 *
	 * @param content hash of the content that the key is bound to
	 * @returns for a used key, whether its write was carried out, is in doubt, or had another content
	 */
	async claim(key: string, content: string): Promise<Claim | 'done' | 'inDoubt' | 'otherUse'> {
		// Keys contain no line break.
		const entry = (part: string | number): string => `${key}\n${part}`;
		const claim = { key, use: entry(content), open: entry('open'), mark: entry(clock.random()) };
		const { use, open, mark } = claim;
		// Every round records all entries. If the mark is still there a round later, the claim has stood.
		let own: string[] = [];
		for (let round = 0; round < MAX_ROUNDS; round += 1) {
			const isNew = await this.record('node', [key, use, open, mark]);
			// If the mark is gone, so are the other entries of the previous round.
			own = [...(isNew(mark) ? [] : own), ...[use, open, mark].filter(isNew)];
			if (!isNew(key)) {
				const hasStood = round > 0 && !isNew(mark);
				if (hasStood && (await this.recordInWorkflow(key))) return claim;
				// Another process has the key. If only the second list shows that, our entries stay in place of those that it lost.
				await this.remove('node', hasStood ? [mark] : own);
				if (hasStood) return 'inDoubt';
				return isNew(use) ? 'otherUse' : isNew(open) ? 'done' : 'inDoubt';
			}
			await clock.sleep(standMs());
		}
		throw new Error('too many other executions are using it at the moment');
	}

	/** The key stays used, and open if in doubt. Records everything again, in case another process wiped it. */
	async settle({ key, use, open, mark }: Claim, isDone: boolean): Promise<void> {
		await this.remove('node', isDone ? [mark, open] : [mark]);
		await this.record('node', isDone ? [key, use] : [key, use, open]);
		await this.recordInWorkflow(key);
	}

	async release({ key, use, open, mark }: Claim): Promise<void> {
		await this.remove('workflow', [this.inWorkflow(key)]).catch(ignoreOtherMode);
		await this.remove('node', [key, use, open, mark]);
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

	/** @returns which of the entries were not there */
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
