import { nodeKey, type NodeContext } from '../../shared/values';

/** Nodes of which the process remembers something, at most. */
const MAX_REMEMBERED = 1_000;

/** What the process remembers of each node. */
export class NodeMemory<Kept> {
	private readonly entries = new Map<string, Kept>();

	get(context: NodeContext): Kept | undefined {
		return this.entries.get(nodeKey(context));
	}

	/** What is set last is dropped last. @param value undefined to forget it */
	set(context: NodeContext, value: Kept | undefined): void {
		const key = nodeKey(context);
		this.entries.delete(key);
		if (value !== undefined) this.entries.set(key, value);
		const [oldest] = this.entries.keys();
		if (this.entries.size > MAX_REMEMBERED && oldest !== undefined) this.entries.delete(oldest);
	}
}
