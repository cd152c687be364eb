import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PaymentCollection } from '../../../nodes/PaymentCollection/PaymentCollection.node';
import { timeOutByTurns, useFakeClock } from '../../support/clock';
import { runAsTool, runNode } from '../../support/engine';
import {
	NOBODY,
	afterOthers,
	empty,
	scriptedServer,
	json,
} from '../../support/servers/http-server';
import { CellState } from '../../support/servers/matrixService';
import { credentialsFor, envelope } from '../../support/operations';
import { toldBy, toldByRecord, type Told } from '../../support/refunds';
import {
	OPERATIONS,
	PATHS,
	cellsOf,
	isLie,
	isRefused,
	mayStayUnknown,
	nameOf,
	type Cell,
	type Operation,
} from '../../support/writeMatrix';

/**
 * Whatever a service answers to a write, and whenever it carries it out: no more is carried out than was asked for,
 * NOT is never said of what was or is carried out, nor UNKNOWN of what can be known, everything that was done is named,
 * and nothing is sent after the end.
 */

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

async function run(cell: Cell, state: CellState, url: string): Promise<Told[]> {
	const base = {
		nodeType: new PaymentCollection(),
		credentials: credentialsFor({ url }),
		...(cell.isRetried ? { retryOnFail: { maxTries: 3 } } : {}),
	};
	if (cell.path === 'custom') {
		const result = await runNode({
			...base,
			parameters: withExpressions(PARAMETERS[cell.operation], (field) => `={{ $json.${field} }}`),
			items: state.items,
			onError: cell.mode,
		});
		return toldBy(result);
	}
	const answers = await runAsTool({
		...base,
		parameters: withExpressions(
			PARAMETERS[cell.operation],
			(field) => `={{ $fromAI('${field}', '', 'string') }}`,
		),
		calls: state.items.map((item) => ({ ...item })),
	});
	return answers.map(({ answer, error }, item): Told => {
		if (error !== undefined || answer === undefined) {
			return { item, verdict: 'nothing', text: String(error) };
		}
		const [record = { error: answer }] = JSON.parse(answer) as IDataObject[];
		return toldByRecord(item, record);
	});
}

async function problemsOf(cell: Cell): Promise<string[]> {
	const clock = useFakeClock();
	const state = new CellState(cell, () => clock.now());
	const server = await scriptedServer((request) => state.answer(request));
	const url = cell.answer.kind === 'neverConnected' ? await deadEnd(state) : server.url;
	if (cell.answer.kind === 'hang') timeOutByTurns();
	const told = await run(cell, state, url);
	clock.restore();
	state.end();
	await afterOthers(empty());
	await server.close();
	state.finish();
	const problems = [...state.tooLate, ...bounds(state)];
	if (!isLie(cell)) problems.push(...untruths(state, told));
	return problems.map(
		(problem) =>
			`${nameOf(cell)}: ${problem}; told ${JSON.stringify(told)}, done ${JSON.stringify(state.effects)}`,
	);
}

/** An address at which nobody listens, once the charges have been read. */
async function deadEnd({ cell, items }: CellState): Promise<string> {
	if (cell.operation !== 'refund') return NOBODY.url;
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
	return one.url;
}

/** What holds whatever the service says: nothing in doubt is sent again, and nothing is carried out twice. */
function bounds(state: CellState): string[] {
	const { cell, effects, writes, items, hit } = state;
	const count = (list: readonly string[], effect: string): number =>
		list.filter((one) => one === effect).length;
	const wanted = new Set(items.map((item) => state.effectOf(item)));
	const mayBeSentAgain =
		cell.operation === 'update' || cell.operation === 'delete' || isRefused(cell);
	if (!mayBeSentAgain && count(writes, hit) > 1) return [`${hit} sent again`];
	return [...wanted].flatMap((effect) => {
		const done = count(effects, effect);
		const isBelieved = effect === hit && isLie(cell);
		// The same update twice comes to the same.
		const isRepeatable = cell.operation === 'update';
		const most = isBelieved || isRepeatable ? count(writes, effect) : 1;
		return done <= most ? [] : [`${effect} carried out ${done} times`];
	});
}

function untruths(state: CellState, told: readonly Told[]): string[] {
	const { cell, items, effects } = state;
	/** Two items of one link delete the same thing: what one of them is told counts for both. */
	const isShared = cell.operation === 'delete' && cell.input === 'pair';
	const isNamed = told.some(({ verdict }) => verdict === 'done' || verdict === 'unknown');
	return items.flatMap((item, index): string[] => {
		const isDone = effects.includes(state.effectOf(item));
		const said = told.find((one) => one.item === index);
		if (said === undefined) {
			const isSilent = cell.path === 'custom' && cell.mode === 'stopWorkflow';
			if (!isSilent) return [`item ${index}: nothing said`];
			return isDone && !(isShared && isNamed) ? [`item ${index}: carried out and not named`] : [];
		}
		if (said.verdict === 'nothing') return [`item ${index}: neither NOT nor UNKNOWN`];
		const isHit = state.effectOf(item) === state.hit;
		if (said.verdict === 'unknown' && isHit && !mayStayUnknown(cell)) {
			return [`item ${index}: UNKNOWN said of what can be known`];
		}
		if (said.verdict === 'done' && !isDone) return [`item ${index}: said to be done, and is not`];
		if (said.verdict === 'not done' && isDone && !(isShared && isNamed)) {
			return [`item ${index}: NOT said of what was carried out`];
		}
		return [];
	});
}

describe.each(OPERATIONS)('%s', (operation) => {
	it.each(PATHS)('on the %s path is told of as it is', async (path) => {
		const problems: string[] = [];
		for (const cell of cellsOf(operation, path)) problems.push(...(await problemsOf(cell)));
		expect(problems).toEqual([]);
	});
});
