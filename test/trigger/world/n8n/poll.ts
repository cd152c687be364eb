import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Service } from '../service/service';
import type { VirtualTime } from '../../../support/virtualTime';

/** The node's `poll()`, in the memory of one process. */
export type Poll = (context: IPollFunctions) => Promise<INodeExecutionData[][] | null>;
/** How one call of `poll()` ended. */
export interface PollEnd {
	/** An `abandoned` poll continues to run without effect. */
	readonly end: 'items' | 'nothing' | 'threw' | 'abandoned';
	readonly error?: Error;
	readonly items: readonly IDataObject[];
	readonly requests: number;
	readonly goodAnswers: number;
	readonly tookMs: number;
}

interface Surroundings {
	readonly time: VirtualTime;
	/** When n8n abandons the poll. */
	readonly limit: number | undefined;
	readonly service: Service;
}

/** Calls `poll()` and lets time pass until it ends. */
export async function runPoll(
	poll: Poll,
	context: IPollFunctions,
	{ time, limit, service }: Surroundings,
): Promise<PollEnd> {
	const startedAt = time.now;
	let ended: Pick<PollEnd, 'end' | 'error' | 'items'> | undefined;
	poll(context).then(
		(data) => {
			const items = (data?.[0] ?? []).map(({ json }) => json);
			ended = { end: data === null ? 'nothing' : 'items', items };
		},
		(reason: unknown) => {
			const error = reason instanceof Error ? reason : new Error(String(reason));
			ended = { end: 'threw', error, items: [] };
		},
	);
	await time.pass(() => ended !== undefined, limit);
	return {
		...(ended ?? { end: 'abandoned', items: [] }),
		requests: service.requests,
		goodAnswers: service.goodAnswers,
		tookMs: time.now - startedAt,
	};
}
