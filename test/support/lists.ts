import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { pageOf as cutPage } from '../../sandbox/lists';
import { runNode, runRouting, type RunOptions, type RunResult } from './engine';
import { json, type Answer, type Handler } from './servers/http-server';
import { OPERATIONS, OPERATION_NAMES, nodeOn, type OperationName } from './operations';
import { findSecrets } from './secrets/secrets';

type ListOperation = Extract<OperationName, `${string} getAll`>;
type ListResource = ListOperation extends `${infer Resource} getAll` ? Resource : never;

/** Every list that Get Many reads. Each is tried with all that holds for lists. */
export const LIST_RESOURCES = OPERATION_NAMES.filter((name) => name.endsWith(' getAll')).map(
	(name) => OPERATIONS[name].resource as ListResource,
);

export interface ListOptions extends Omit<RunOptions, 'nodeType' | 'parameters'> {
	resource?: ListResource;
	/** Parameters besides resource and operation; Return All is the default. */
	parameters?: INodeParameters;
}

function listOn(url: string, { resource = 'charge', parameters, ...options }: ListOptions) {
	const chosen = { resource, operation: 'getAll', parameters: { returnAll: true, ...parameters } };
	return { ...nodeOn({ url }, chosen), ...options };
}

/** Get Many in a workflow. Whatever comes of it, no planted secret may be in what n8n stores, shows or logs. */
export async function getMany(url: string, options: ListOptions = {}): Promise<RunResult> {
	const result = await runNode(listOn(url, options));
	expect(findSecrets([result.run, result.logs, result.thrown])).toEqual([]);
	return result;
}

/** Get Many through n8n's declarative machinery, as the older way to run an agent's tool does it. */
export async function getManyByRouting(
	url: string,
	options: Pick<ListOptions, 'resource' | 'parameters' | 'items' | 'signal'> = {},
): Promise<INodeExecutionData[]> {
	const [items] = await runRouting(listOn(url, options));
	expect(findSecrets(items)).toEqual([]);
	return items ?? [];
}

export const idsOf = (rows: readonly IDataObject[]): unknown[] => rows.map(({ id }) => id);

export const hintsOf = ({ hints }: RunResult): string[] => hints.map(({ message }) => message);

/** A failed run's error as the user reads it. */
export function shownError({ status, error }: RunResult): { message: string; description: string } {
	expect(status).toBe('error');
	const { message, description } = error as { message: string; description?: string | null };
	return { message, description: description ?? '' };
}

// --- Scripted lists --------------------------------------------------------------------------

/** Rows with the ids "row 0", "row 1", … */
export const rowsUpTo = (total: number): IDataObject[] =>
	Array.from({ length: total }, (_, index) => ({ id: `row ${index}` }));

/** A page of a list as the document shows it; past the end, one without rows. */
export function pageOf(
	rows: readonly IDataObject[],
	asked: number,
	size: number,
	changes: Record<string, unknown> = {},
): Answer {
	const { number, last, rows: results } = cutPage([...rows], asked, size);
	const next = number < last ? `http://127.0.0.1/?page=${number + 1}` : null;
	return json({ count: rows.length, next, previous: null, results, ...changes });
}

/** Answers a list of so many rows, in pages of the size asked for. */
export const listOf =
	(total: number): Handler =>
	({ query }) =>
		pageOf(rowsUpTo(total), Number(query['page']), Number(query['page_size']));
