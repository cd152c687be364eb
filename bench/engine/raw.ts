import axios from 'axios';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

/** What a program without n8n does: axios, and connections that stay open. */
export function rawClient(baseUrl: string, apiKey: string, connections: number) {
	const options = { keepAlive: true, maxSockets: connections };
	const [httpAgent, httpsAgent] = [new Agent(options), new TlsAgent(options)];
	const client = axios.create({
		baseURL: baseUrl,
		headers: { 'X-API-KEY': apiKey },
		httpAgent,
		httpsAgent,
		proxy: false,
	});
	const close = (): void => {
		httpAgent.destroy();
		httpsAgent.destroy();
	};
	return { client, close };
}

/** Does the work of all numbers from `first` to `last`, so many at a time. */
export async function inParallel(
	first: number,
	last: number,
	workers: number,
	work: (number: number) => Promise<void>,
): Promise<void> {
	let next = first;
	const worker = async (): Promise<void> => {
		while (next <= last) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(workers, last - first + 1) }, worker));
}

interface Envelope {
	count: number;
	results: unknown[];
}

/** Page 1, which has the count, then all others at once, so many connections wide. */
export async function rawList(
	path: string,
	options: { baseUrl: string; apiKey: string; connections: number },
): Promise<unknown[]> {
	const { client, close } = rawClient(options.baseUrl, options.apiKey, options.connections);
	const readPage = async (page: number): Promise<Envelope> => {
		const { data } = await client.get<Envelope | [Envelope]>(path, {
			params: { page, page_size: 100 },
		});
		return Array.isArray(data) ? data[0] : data;
	};
	try {
		const first = await readPage(1);
		const pages: unknown[][] = [first.results];
		await inParallel(2, Math.ceil(first.count / 100), options.connections, async (page) => {
			pages[page - 1] = (await readPage(page)).results;
		});
		return pages.flat();
	} finally {
		close();
	}
}
