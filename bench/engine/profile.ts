import { Session, type Profiler } from 'node:inspector/promises';

import { readList, type ListJob } from './lists';

/** Time that the processor spent in a function itself, in ms, as the V8 profiler saw it. */
export interface FunctionTime {
	readonly name: string;
	/** Of the file, or an empty text for what belongs to none. */
	readonly url: string;
	readonly line: number;
	readonly selfMs: number;
}

const MS_PER_US = 1e-3;
const SAMPLING_US = 200;

/** Reads a list so many times and says where the time went, the dearest function first. */
export async function profileList(job: ListJob & { times: number }): Promise<FunctionTime[]> {
	await readList(job);
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
	await session.post('Profiler.start');
	for (let time = 0; time < job.times; time++) await readList(job);
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	return selfTimes(profile, job.times);
}

function selfTimes(
	{ nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
	times: number,
): FunctionTime[] {
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	const functions = new Map<string, FunctionTime>();
	samples.forEach((id, index) => {
		const frame = frames.get(id);
		if (frame === undefined) return;
		const { functionName: name, url, lineNumber: line } = frame;
		const key = `${name} ${url} ${line}`;
		const selfMs =
			(functions.get(key)?.selfMs ?? 0) + ((timeDeltas[index] ?? 0) * MS_PER_US) / times;
		functions.set(key, { name, url, line: line + 1, selfMs });
	});
	return [...functions.values()].sort((one, other) => other.selfMs - one.selfMs);
}
