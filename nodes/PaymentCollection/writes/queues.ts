/** Queues of tasks, one for each place: a place's tasks run one after another, in the order of the calls. */
export class Queues<Place> {
	private readonly lastInLine = new Map<Place, Promise<unknown>>();

	/** Runs a task once those before it are through, whatever became of each. */
	async inTurn<T>(place: Place, task: () => Promise<T>): Promise<T> {
		const run = (this.lastInLine.get(place) ?? Promise.resolve()).then(task);
		const done = run.then(
			() => undefined,
			() => undefined,
		);
		this.lastInLine.set(place, done);
		try {
			return await run;
		} finally {
			if (this.lastInLine.get(place) === done) this.lastInLine.delete(place);
		}
	}
}
