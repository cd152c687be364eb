import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { useFakeClock } from '../../support/clock';
import { runNode, runToolCalls, type RunResult } from '../../support/engine';
import { scriptedServer, json } from '../../support/servers/http-server';
import { MatrixServer, type CellState } from '../../support/servers/matrixService';
import { credentialsFor, envelope } from '../../support/operations';
import {
	OPERATIONS,
	PATHS,
	allCells,
	isLie,
	nameOf,
	oneOfEach,
	type Cell,
	type Operation,
} from '../../support/writeMatrix';

/**
 * Whatever a service answers to a write, and whenever it carries it out: no more is carried out than was asked for,
 * NOT is never said of what was or is carried out, everything that was done is named, and nothing is sent after the
 * end.
 */

const IS_WHOLE = process.env['WRITE_MATRIX'] === 'full';
const SEED = Number(process.env['WRITE_MATRIX_SEED'] ?? 20250115);
const TIMEOUT_MS = 40;
const CHUNK = 400;

const CELLS = allCells();
const RUN = IS_WHOLE ? CELLS : oneOfEach(CELLS, SEED);

/** What the user is told of one item. */
interface Told {
	verdict: 'done' | 'not' | 'unknown' | 'wordless';
	text: string;
}

const PARAMETERS: Record<Operation, INodeParameters> = {
	refund: {
		resource: 'charge',
		operation: 'refund',
		chargeId: { __rl: true, mode: 'id', value: 'target' },
		amount: 'amount',
	},
	create: {
		resource: 'link',
		operation: 'create',
		currency: 'USD',
		items: { item: [{ name: 'Ticket', amount: '1.00', quantity: 1 }] },
		additionalFields: { title: 'title' },
	},
	update: {
		resource: 'link',
		operation: 'update',
		linkId: 'target',
		updateFields: { title: 'title' },
	},
	delete: { resource: 'link', operation: 'delete', linkId: 'target' },
};

/** The parameters with an expression for each field's name that stands in them. */
const withExpressions = (
	parameters: INodeParameters,
	expression: (field: string) => string,
): INodeParameters =>
	JSON.parse(
		JSON.stringify(parameters).replaceAll(/"(target|amount|title)"(?!:)/g, (_, field: string) =>
			JSON.stringify(expression(field)),
		),
	) as INodeParameters;

const verdictOf = (message: string): Told['verdict'] =>
	message.startsWith('UNKNOWN') ? 'unknown' : /\bNOT\b/.test(message) ? 'not' : 'wordless';

const toldByRecord = (record: IDataObject): Told =>
	typeof record['error'] === 'string'
		? { verdict: verdictOf(record['error']), text: record['error'] }
		: { verdict: 'done', text: JSON.stringify(record) };

/** What a run tells of each item, by its number: in its outputs, and in the error that it ends with. */
function toldByRun({ items, errorItems, thrown, error }: RunResult): Map<number, Told> {
	const told = new Map<number, Told>();
	for (const { json: record, pairedItem } of [...items, ...errorItems]) {
		told.set((pairedItem as { item: number }).item, toldByRecord(record));
	}
	if (error === undefined) return told;
	const { message, description, context } = thrown.at(-1) as Error & {
		description?: string;
		context?: { itemIndex?: number };
	};
	const [, done = ''] =
		/Done before this error: (.*?)\.(?: Also failed| Not sent|$)/.exec(description ?? '') ?? [];
	for (const part of done.split('; ')) {
		const [, item, text = ''] = /^item (\d+): (.*)$/.exec(part) ?? [];
		if (item !== undefined) told.set(Number(item) - 1, { verdict: 'done', text });
	}
	const [, others = ''] = /Also failed: (.*)$/s.exec(description ?? '') ?? [];
	for (const [, item, text = ''] of others.matchAll(
		/item (\d+): (.*?)(?=; item \d|\. Not sent|$)/gs,
	)) {
		told.set(Number(item) - 1, { verdict: verdictOf(text), text });
	}
	told.set(context?.itemIndex ?? -1, { verdict: verdictOf(message), text: message });
	return told;
}

async function run(cell: Cell, state: CellState, url: string): Promise<Map<number, Told>> {
	const base = {
		nodeType: new PaymentCollection(),
		credentials: credentialsFor({ url }),
		...(cell.isRetried ? { retryOnFail: { maxTries: 3 } } : {}),
	};
	const requestOptions = { timeout: TIMEOUT_MS };
	const isSlow = cell.answer.kind === 'hang';
	if (cell.path === 'custom') {
		const result = await runNode({
			...base,
			parameters: withExpressions(PARAMETERS[cell.operation], (field) => `={{ $json.${field} }}`),
			items: state.items,
			onError: cell.mode,
			...(isSlow ? { requestOptions } : {}),
		});
		return toldByRun(result);
	}
	const answers = await runToolCalls({
		...base,
		parameters: {
			...withExpressions(
				PARAMETERS[cell.operation],
				(field) => `={{ $fromAI('${field}', '', 'string') }}`,
			),
			...(isSlow ? { requestOptions } : {}),
		},
		calls: state.items.map((item) => ({ ...item })),
	});
	return new Map(
		answers.map(({ answer, error }, item): [number, Told] => {
			if (error !== undefined || answer === undefined) {
				return [item, { verdict: 'wordless', text: String(error) }];
			}
			const [record = { error: answer }] = JSON.parse(answer) as IDataObject[];
			return [item, toldByRecord(record)];
		}),
	);
}

const server = new MatrixServer();

beforeAll(async () => await server.start());

async function problemsOf(cell: Cell): Promise<string[]> {
	const clock = useFakeClock();
	const state = server.open(cell, () => clock.now());
	const url = cell.answer.kind === 'neverConnected' ? await deadEnd(state) : state.url;
	const sentBefore = server.sent();
	const told = await run(cell, state, url);
	if (cell.answer.kind === 'hang') await server.readAll(sentBefore);
	state.end();
	state.finish();
	const problems = bounds(state);
	if (!isLie(cell)) problems.push(...untruths(state, told));
	return problems.map(
		(problem) =>
			`${nameOf(cell)}: ${problem}; told ${JSON.stringify([...told])}, done ${JSON.stringify(state.effects)}`,
	);
}

/** An address at which nobody listens, once the charges have been read. */
async function deadEnd({ cell, items }: CellState): Promise<string> {
	const one = await scriptedServer(() => {
		one.leave();
		return json(
			envelope(
				...items.map(({ target }) => ({
					id: target,
					currency: 'USD',
					total: '100.00',
					refund_total: '0.00',
				})),
			),
		);
	});
	if (cell.operation !== 'refund') await one.close();
	return one.url;
}

/** What holds whatever the service says: nothing is carried out more often than it was sent, others not twice. */
function bounds(state: CellState): string[] {
	const { cell, effects, writes, items, hit } = state;
	const count = (list: readonly string[], effect: string): number =>
		list.filter((one) => one === effect).length;
	const wanted = new Set(items.map((item) => state.effectOf(item)));
	return [...wanted].flatMap((effect) => {
		const done = count(effects, effect);
		const isBelieved = effect === hit && isLie(cell);
		// The same update twice comes to the same.
		const isRepeatable = cell.operation === 'update';
		const most = isBelieved || isRepeatable ? count(writes, effect) : 1;
		return done <= most ? [] : [`${effect} carried out ${done} times`];
	});
}

function untruths(state: CellState, told: ReadonlyMap<number, Told>): string[] {
	const { cell, items, effects } = state;
	/** Two items of one link delete the same thing: what one of them is told counts for both. */
	const isShared = cell.operation === 'delete' && cell.input === 'pair';
	const all = [...told.values()];
	const isNamed = all.some(({ verdict }) => verdict === 'done' || verdict === 'unknown');
	return items.flatMap((item, index): string[] => {
		const isDone = effects.includes(state.effectOf(item));
		const said = told.get(index);
		if (said === undefined) {
			const isSilent = cell.path === 'custom' && cell.mode === 'stopWorkflow';
			if (!isSilent) return [`item ${index}: nothing said`];
			return isDone && !(isShared && isNamed) ? [`item ${index}: carried out and not named`] : [];
		}
		if (said.verdict === 'wordless') return [`item ${index}: neither NOT nor UNKNOWN`];
		if (said.verdict === 'done' && !isDone) return [`item ${index}: said to be done, and is not`];
		if (said.verdict === 'not' && isDone && !(isShared && isNamed)) {
			return [`item ${index}: NOT said of what was carried out`];
		}
		return [];
	});
}

const lies = RUN.filter(isLie).length;

describe(`${RUN.length} of ${CELLS.length} cells${IS_WHOLE ? '' : ', one of each class of equal ones'}, ${lies} of them with a service that says the opposite of what it does`, () => {
	describe.each(OPERATIONS)('%s', (operation) => {
		describe.each(PATHS)('on the %s path', (path) => {
			const cells = RUN.filter((cell) => cell.operation === operation && cell.path === path);
			const chunks = Array.from({ length: Math.ceil(cells.length / CHUNK) }, (_, chunk) =>
				cells.slice(chunk * CHUNK, (chunk + 1) * CHUNK),
			);
			it.each(chunks.map((chunk, index) => [chunk.length, index] as const))(
				'tells the truth in %i cells (part %i)',
				async (_count, index) => {
					const problems: string[] = [];
					for (const cell of chunks[index] ?? []) problems.push(...(await problemsOf(cell)));
					expect(problems).toEqual([]);
				},
			);
		});
	});

	it('sends nothing after the end of any of them', async () => {
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(server.tooLate()).toEqual([]);
		// Otherwise what had left in time could not be told from what left too late.
		expect(server.sent().started).toBeGreaterThan(RUN.length / 2);
	});
});
