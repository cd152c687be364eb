/** Runs tasks one after another for each of many places, in the order of the calls, whatever becomes of each. */
export class Turns {
	private readonly lastInLine = new Map<string, Promise<unknown>>();

	async take<T>(place: string, task: () => Promise<T>): Promise<T> {
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
