import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetAll } from '../../../nodes/PaymentCollection/resources/charge/refund/ledger';
import { timeOutByTurns, useFakeClock } from '../../support/clock';
import { runAsTool, runNode } from '../../support/engine';
import {
	NOBODY,
	afterOthers,
	empty,
	scriptedServer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import { nodeOn } from '../../support/operations';
import { reportedBy, reportedByRecord, type Reported } from '../../support/refunds';
import {
	CellService,
	PATHS,
	WRITES,
	cellsOf,
	isLie,
	isOwnEach,
	isRefused,
	mayStayUnknown,
	nameOf,
	type Cell,
} from '../../support/writeMatrix';

/**
 * Tries any response at any moment of a write: nothing else is carried out, NOT is never reported for a write that is
 * carried out, nor UNKNOWN for a known outcome, each finished write is named, and nothing is sent after the end.
 */

/** The node with the values of each item, as n8n reads them on one of its paths. */
function nodeFor({ write, path, isRetried }: Cell, url: string) {
	const { example } = write;
	const amount = '={{ $json.amount }}';
	const changed = write.movesMoney ? { amount } : { updateFields: { title: amount } };
	const own = isOwnEach(write) ? changed : {};
	const parameters = JSON.stringify({ ...example.parameters, ...own });
	const fromModel = "={{ $$fromAI('$1', '', 'string') }}";
	const read =
		path === 'tool' ? parameters.replaceAll(/={{ \$json\.(\w+) }}/g, fromModel) : parameters;
	return {
		...nodeOn({ url }, { ...example, parameters: JSON.parse(read) as INodeParameters }),
		...(isRetried ? { retryOnFail: { maxTries: 3 } } : {}),
	};
}

async function run({ cell, items }: CellService, url: string): Promise<Reported[]> {
	const node = nodeFor(cell, url);
	if (cell.path === 'custom')
		return reportedBy(await runNode({ ...node, items, onError: cell.mode }));
	const answers = await runAsTool({ ...node, calls: items.map((item) => ({ ...item })) });
	return answers.map(({ answer, error }, item): Reported => {
		if (error !== undefined || answer === undefined) {
			return { item, verdict: 'nothing', text: String(error) };
		}
		const [record = { error: answer }] = JSON.parse(answer) as IDataObject[];
		return reportedByRecord(item, record);
	});
}

let service: CellService;
let server: ScriptedServer;
beforeAll(async () => {
	server = await scriptedServer((request) => service.answer(request));
});

async function problemsOf(cell: Cell): Promise<string[]> {
	const clock = useFakeClock();
	forgetAll();
	service = new CellService(cell, () => clock.now());
	const url = cell.answer.kind === 'neverConnected' ? await deadEnd() : server.url;
	if (cell.answer.kind === 'hang') timeOutByTurns();
	const outcomes = await run(service, url);
	clock.restore();
	service.end();
	await afterOthers(empty());
	service.carryOutAll();
	const problems = [...service.tooLate, ...bounds(service)];
	if (!isLie(cell)) problems.push(...untruths(service, outcomes));
	return problems.map(
		(problem) =>
			`${nameOf(cell)}: ${problem}; reported ${JSON.stringify(outcomes)}, done ${JSON.stringify(service.effects)}`,
	);
}

/** A URL where no server listens, once a charge has been read. */
async function deadEnd(): Promise<string> {
	if (!service.cell.write.movesMoney) return NOBODY.url;
	const one = await scriptedServer((request) => {
		one.leave();
		return service.answer(request);
	});
	return one.url;
}

/** Checks for any response that nothing in doubt is sent again, and nothing is carried out twice. */
function bounds(service: CellService): string[] {
	const { cell, effects, writes, items, struck } = service;
	const count = (list: readonly string[], effect: string): number =>
		list.filter((one) => one === effect).length;
	const mayBeSentAgain = cell.write.method !== 'POST' || isRefused(cell);
	if (!mayBeSentAgain && count(writes, struck) > 1) return [`${struck} sent again`];
	const wanted = new Set(items.map((item) => service.effectOf(item)));
	return [...wanted].flatMap((effect) => {
		const done = count(effects, effect);
		const isBelieved = effect === struck && isLie(cell);
		// Two equal updates have the same effect as one.
		const isRepeatable = cell.write.method === 'PATCH';
		const most = isBelieved || isRepeatable ? count(writes, effect) : 1;
		return done <= most ? [] : [`${effect} carried out ${done} times`];
	});
}

function untruths(service: CellService, outcomes: readonly Reported[]): string[] {
	const { cell, items, effects, struck } = service;
	/** Two items delete the same link, so the report of one counts for both. */
	const isShared = cell.write.method === 'DELETE' && cell.input === 'pair';
	const isNamed = outcomes.some(({ verdict }) => verdict === 'done' || verdict === 'unknown');
	return items.flatMap((item, index): string[] => {
		const effect = service.effectOf(item);
		const isDone = effects.includes(effect);
		const said = outcomes.find((one) => one.item === index);
		if (said === undefined) {
			const isSilent = cell.path === 'custom' && cell.mode === 'stopWorkflow';
			if (!isSilent) return [`item ${index}: nothing said`];
			return isDone && !(isShared && isNamed) ? [`item ${index}: carried out and not named`] : [];
		}
		if (said.verdict === 'nothing') return [`item ${index}: neither NOT nor UNKNOWN`];
		if (said.verdict === 'unknown' && effect === struck && !mayStayUnknown(cell)) {
			return [`item ${index}: UNKNOWN said of what can be known`];
		}
		if (said.verdict === 'done' && !isDone) return [`item ${index}: said to be done, and is not`];
		if (said.verdict === 'not done' && isDone && !(isShared && isNamed)) {
			return [`item ${index}: NOT said of what was carried out`];
		}
		return [];
	});
}

describe.each(WRITES)('$name', (write) => {
	it.each(PATHS)('on the %s path is reported as it is', async (path) => {
		const problems: string[] = [];
		for (const cell of cellsOf(write, path)) problems.push(...(await problemsOf(cell)));
		expect(problems).toEqual([]);
	});
});
