/** Queues by name: the tasks of a queue run one after another, in the order of the calls, even if earlier ones fail. */
export class Queues<Name> {
	private readonly lastInLine = new Map<Name, Promise<unknown>>();

	async inTurn<T>(name: Name, task: () => Promise<T>): Promise<T> {
		const run = (this.lastInLine.get(name) ?? Promise.resolve()).then(task);
		const settled = run.catch(() => undefined);
		this.lastInLine.set(name, settled);
		try {
			return await run;
		} finally {
			if (this.lastInLine.get(name) === settled) this.lastInLine.delete(name);
		}
	}
}
