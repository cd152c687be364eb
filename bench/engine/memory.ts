import { readList, type ListJob } from './lists';

const MEGABYTE = 1_000_000;
const KILOBYTE = 1_000;
const RSS_UNIT = 1_024;

/** What must not be collected before the heap was looked at. */
const kept: unknown[] = [];

function heapAfterCollection(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}

/** How much more memory the process takes at its most than before, and what of the execution n8n holds at its end. */
export async function memoryOf(
	job: ListJob,
): Promise<{ items: number; peakMb: number; keptMb: number }> {
	const heapBefore = heapAfterCollection();
	const rssBefore = process.memoryUsage().rss;
	const { items, held } = await readList(job);
	kept.push(held);
	const peak = process.resourceUsage().maxRSS * RSS_UNIT - rssBefore;
	const keptMb = (heapAfterCollection() - heapBefore) / MEGABYTE;
	return { items, peakMb: peak / MEGABYTE, keptMb };
}

/** Reads pages one by one, as a loop does, a batch of them in an execution of its own, and gives the heap after each. */
export async function heapAfterBatches(
	job: ListJob & { batches: number; pagesOfBatch: number },
): Promise<{ items: number; heapKb: number[] }> {
	const heapKb: number[] = [];
	let items = 0;
	for (let batch = 0; batch < job.batches; batch++) {
		const pages = Array.from({ length: job.pagesOfBatch }, (_, index) => ({
			page: batch * job.pagesOfBatch + index + 1,
		}));
		items += (await readList({ ...job, options: { page: '={{ $json.page }}' }, items: pages }))
			.items;
		heapKb.push(heapAfterCollection() / KILOBYTE);
	}
	return { items, heapKb };
}
