import { Host } from '../n8n/host';
import type { PollResult } from '../n8n/host';
import { parametersOf } from '../play';
import type { Subject } from '../play';
import { Service } from '../service/service';
import { START_MS, VirtualTime } from '../time';
import { COST_TRAITS } from './cases';
import type { CostCase } from './cases';

/** What a case costs. */
export interface Cost {
	readonly name: string;
	/** Of the poll that sends most often but for readings of the window, of the dearest, and in all. */
	readonly usualRequests: number;
	readonly mostRequests: number;
	readonly polls: number;
	/** The most that any poll needed. */
	readonly cpuMs: number;
	/** All polls together, and what they sent. */
	readonly allCpuMs: number;
	readonly allRequests: number;
	readonly stateBytes: number;
}

/** A backlog takes so many polls at most before it counts as stuck. */
const MAX_POLLS = 200;
const WORKFLOW = 'costs';

/** Measures a case: requests and bytes come out the same on every machine. */
export async function measure(costCase: CostCase, subject: Subject): Promise<Cost> {
	const time = new VirtualTime();
	time.install(subject.clock);
	const service = new Service({ ...COST_TRAITS, order: costCase.order }, time);
	fillIn(service, costCase);
	const { startProcess } = subject;
	const host = new Host({ isDurable: false, workflowId: WORKFLOW, time, service, startProcess });
	host.parameters = parametersOf(costCase.trigger);
	const tick = async () => await host.run(host.prepareTick());
	const isBacklog = costCase.trigger.startFrom === 'beginning';
	const results: Measured[] = [await timed(async () => await host.activate('activate'))];
	// What the baseline costs is paid once; a backlog is measured from its first poll on.
	if (!isBacklog) {
		time.now += costCase.restMs;
		await tick();
		results.length = 0;
	}
	const wanted = isBacklog ? costCase.history.count : costCase.arrivals;
	let told = results.reduce((count, { result }) => count + result.items.length, 0);
	for (let poll = 0; poll < (costCase.polls ?? MAX_POLLS); poll++) {
		if (costCase.polls === null && told >= wanted) break;
		time.now += costCase.restMs;
		if (costCase.polls !== null || poll === 0) arrive(service, costCase);
		const measured = await timed(tick);
		told += measured.result.items.length;
		results.push(measured);
	}
	if (costCase.polls === null && told !== wanted) throw new Error(`${told} of ${wanted} told`);
	return summary(costCase, results);
}

interface Measured {
	readonly result: PollResult;
	readonly cpuMs: number;
}

async function timed(poll: () => Promise<PollResult>): Promise<Measured> {
	const began = process.cpuUsage();
	const result = await poll();
	const { user, system } = process.cpuUsage(began);
	if (result.error !== undefined) throw result.error;
	return { result, cpuMs: (user + system) / 1_000 };
}

/** As in a usual account: one in ten refunded, one in eight with another status. */
function fillIn(service: Service, { history: { count, gapMs } }: CostCase): void {
	for (let index = count; index > 0; index--) {
		const status = index % 8 === 0 ? 'declined' : 'authorised';
		const charge = service.insert(START_MS - index * gapMs, status);
		if (index % 10 === 0) service.refund(charge);
	}
}

function arrive(service: Service, { arrivals, isMass, restMs }: CostCase): void {
	const { now } = service.time;
	for (let index = arrivals; index > 0; index--) {
		service.insert(isMass ? now : now - Math.floor((index * restMs) / (arrivals + 1)));
	}
}

function summary({ name }: CostCase, measured: readonly Measured[]): Cost {
	const requests = measured.map(({ result }) => result.requests).sort((one, other) => one - other);
	return {
		name,
		usualRequests: requests[Math.floor(requests.length / 2)] ?? 0,
		mostRequests: requests.at(-1) ?? 0,
		polls: measured.length,
		cpuMs: Math.round(Math.max(...measured.map(({ cpuMs }) => cpuMs))),
		allCpuMs: Math.round(measured.reduce((sum, { cpuMs }) => sum + cpuMs, 0)),
		allRequests: requests.reduce((sum, count) => sum + count, 0),
		stateBytes: Math.max(...measured.map(({ result }) => result.stateBytes)),
	};
}

export async function measureAll(
	subject: Subject,
	cases: readonly CostCase[],
	onCost: (cost: Cost) => void = () => undefined,
): Promise<Cost[]> {
	const costs: Cost[] = [];
	for (const costCase of cases) {
		const cost = await measure(costCase, subject);
		onCost(cost);
		costs.push(cost);
	}
	return costs;
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

/** The table of docs/trigger.md: what does not depend on the machine. */
export function toTable(costs: readonly Cost[]): string {
	const rows = costs.map(({ name, usualRequests, mostRequests, polls, stateBytes }) =>
		[name, usualRequests, mostRequests, polls, kilobytes(stateBytes)].join(' | '),
	);
	return [
		'| Case | Requests in the median poll | In the dearest poll | Polls | State |',
		'| --- | --- | --- | --- | --- |',
		...rows.map((row) => `| ${row} |`),
	].join('\n');
}
