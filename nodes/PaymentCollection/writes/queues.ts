/** Queues of tasks, by name: the tasks of one queue run one after another, in the order of the calls. */
export class Queues<Name> {
	private readonly lastInLine = new Map<Name, Promise<unknown>>();

	/** Runs a task once those before it are through, whatever the outcome of each. */
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
