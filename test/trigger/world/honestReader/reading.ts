import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Answer } from '../service/answers';

const MAX_PAGES = 2_000;
const NO_SUCH_PAGE = [400, 404, 422];

const isReadable = (row: unknown): row is IDataObject =>
	typeof row === 'object' &&
	row !== null &&
	'id' in row &&
	typeof row.id === 'string' &&
	'created' in row &&
	typeof row.created === 'string' &&
	/^\d/.test(row.created);

/** The filters that the service applies; the Status filter is not its own. */
export function queryOf(context: IPollFunctions): IDataObject {
	const filters = context.getNodeParameter('filters') as IDataObject;
	const query: IDataObject = {};
	for (const [name, value] of Object.entries(filters)) {
		if (name !== 'status') query[name === 'customerId' ? 'customer_id' : name] = value;
	}
	return query;
}

export async function readAll(context: IPollFunctions, readings: number): Promise<IDataObject[]> {
	const found = new Map<string, IDataObject>();
	for (let reading = 0; reading < readings; reading++) {
		const seen = new Set<string>();
		for (let page = 1; page <= MAX_PAGES; page++) {
			const rows = await readPage(context, page);
			const isRepeated = rows.every((row) => seen.has(JSON.stringify(row)));
			for (const row of rows) {
				seen.add(JSON.stringify(row));
				if (isReadable(row)) found.set(row['id'] as string, row);
			}
			if (isRepeated) break;
		}
	}
	return [...found.values()];
}

async function readPage(context: IPollFunctions, page: number): Promise<unknown[]> {
	const answer = (await context.helpers.httpRequestWithAuthentication.call(context, 'any', {
		url: '/v1/charges',
		qs: { ...queryOf(context), page, page_size: 100 },
		timeout: 30_000,
	})) as Answer;
	if (NO_SUCH_PAGE.includes(answer.statusCode) && page > 1) return [];
	const body = (Array.isArray(answer.body) ? answer.body[0] : answer.body) as {
		results?: unknown;
	} | null;
	if (answer.statusCode !== 200 || !Array.isArray(body?.results)) throw new Error('No list');
	return body.results as unknown[];
}
