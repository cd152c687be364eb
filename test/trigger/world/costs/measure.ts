import { Host } from '../n8n/host';
import type { PollResult } from '../n8n/host';
import { parametersOf } from '../play';
import type { Subject } from '../play';
import { createdEventOf } from '../schedule';
import { Service } from '../service/service';
import { PLAIN_TRAITS } from '../service/traits';
import { START_MS, VirtualTime } from '../time';
import { PAGE } from './cases';
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

interface Measured {
	readonly result: PollResult;
	readonly cpuMs: number;
}

/** Measures a case: requests and bytes come out the same on every machine. */
async function measure(costCase: CostCase, subject: Subject): Promise<Cost> {
	const { trigger, order, history, arrivals, polls, restMs } = costCase;
	const time = new VirtualTime();
	time.install(subject.clock);
	const traits = { ...PLAIN_TRAITS, size: PAGE, order };
	const service = new Service(traits, time, createdEventOf(trigger));
	fillIn(service, costCase);
	const { startProcess } = subject;
	const process = startProcess();
	const workflowId = 'costs';
	const host = new Host({
		isDurable: false,
		isScheduled: false,
		workflowId,
		time,
		service,
		startProcess,
		process,
	});
	host.parameters = parametersOf(trigger);
	const tick = async () => await timed(async () => await host.run(host.prepareTick()));
	const first = await timed(async () => await host.activate('activate'));
	const isBacklog = trigger.startFrom === 'beginning';
	const measured: Measured[] = [];
	if (isBacklog) measured.push(first);
	else {
		// What the beginning costs is paid once, and is not measured.
		time.now += restMs;
		await tick();
	}
	const wanted = isBacklog ? history.count : arrivals;
	const told = () => measured.reduce((count, { result }) => count + result.items.length, 0);
	for (let poll = 0; poll < (polls ?? MAX_POLLS); poll++) {
		if (polls === null && told() >= wanted) break;
		time.now += restMs;
		if (polls !== null || poll === 0) arrive(service, costCase);
		measured.push(await tick());
	}
	if (polls === null && told() !== wanted) throw new Error(`${told()} of ${wanted} told`);
	return summary(costCase, measured);
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

export async function measureAll(subject: Subject, cases: readonly CostCase[]): Promise<Cost[]> {
	const costs: Cost[] = [];
	for (const costCase of cases) costs.push(await measure(costCase, subject));
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
