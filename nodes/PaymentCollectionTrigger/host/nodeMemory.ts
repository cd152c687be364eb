import type { IPollFunctions } from 'n8n-workflow';

/** Triggers that the process remembers something of, at most. */
const MAX_REMEMBERED = 1_000;

/** What the process remembers of each trigger: by workflow and node id, which stays when the node is renamed. */
export class NodeMemory<Kept> {
	private readonly entries = new Map<string, Kept>();

	get(context: IPollFunctions): Kept | undefined {
		return this.entries.get(keyOf(context));
	}

	/** What is set last is dropped last. */
	set(context: IPollFunctions, value: Kept): void {
		const key = keyOf(context);
		this.entries.delete(key);
		this.entries.set(key, value);
		const [oldest] = this.entries.keys();
		if (this.entries.size > MAX_REMEMBERED && oldest !== undefined) this.entries.delete(oldest);
	}

	delete(context: IPollFunctions): void {
		this.entries.delete(keyOf(context));
	}
}

const keyOf = (context: IPollFunctions): string =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id]);
