import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { ModelService } from '../service/service';
import type { VirtualTime } from '../time';

/** The node's `poll()`, in the memory of one process. */
export type Poll = (context: IPollFunctions) => Promise<INodeExecutionData[][] | null>;
/** Starts a process of n8n: what the node keeps in memory is gone. */
export type StartProcess = () => Poll;

/** How one call of `poll()` ended. */
export interface PollEnd {
	/** `abandoned` goes on running without effect. */
	readonly end: 'items' | 'nothing' | 'threw' | 'abandoned';
	readonly error?: Error;
	readonly items: readonly IDataObject[];
	readonly requests: number;
	readonly goodAnswers: number;
	readonly tookMs: number;
}

/** The same, with what n8n made of it. */
export interface PollResult extends PollEnd {
	readonly kind: 'activation' | 'tick';
	/** Whether n8n took the items over. */
	readonly isAccepted: boolean;
	readonly stateBytes: number;
	/** Whether the poll left a state of its own behind, in memory at least. */
	readonly hasState: boolean;
}

interface Surroundings {
	readonly time: VirtualTime;
	/** When n8n gives it up. */
	readonly limit: number | undefined;
	readonly service: ModelService;
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
		(error: unknown) => {
			ended = {
				end: 'threw',
				error: error instanceof Error ? error : new Error(String(error)),
				items: [],
			};
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
