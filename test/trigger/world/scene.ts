import { ChangeOracle } from './judge/changeOracle';
import { Host } from './n8n/host';
import { Oracle } from './judge/oracle';
import type { Poll, StartProcess } from './n8n/poll';
import { ModelService } from './service/service';
import type { Schedule } from './schedules/steps';
import { START_MS, VirtualTime } from './time';
import type { Clock } from './time';
import { setBudgets } from './budgets';
import type { Budgets } from './budgets';
import { toParameters } from './userChoices';
import { nothingWrong } from './judge/verdict';
import type { Verdict } from './judge/verdict';

/** Where the trigger comes from: the tests and the search load it in different ways. */
export interface Subject {
	/** What the nodes read time from, in every process. */
	readonly clock: Clock;
	/** How much it may remember, in every process; absent where nothing is ever forgotten. */
	readonly budgets?: Budgets;
	/** The process that lives as long as the program. */
	readonly poll: Poll;
	/** A process with an empty memory. */
	readonly startProcess: StartProcess;
}

/** An account of the service, and what the trigger owes it. */
interface Account {
	readonly service: ModelService;
	/** Its present one. */
	apiKey: string;
	readonly oracle: Oracle;
	readonly changes: ChangeOracle;
}

/** Everything of a schedule that is being played. */
export interface Scene {
	readonly schedule: Schedule;
	readonly host: Host;
	readonly time: VirtualTime;
	readonly verdict: Verdict;
	readonly accounts: readonly Account[];
	/** Of the account that the credential leads to. */
	oracle: Oracle;
	changes: ChangeOracle;
	/** Under durable cursors, a poll without items at an activation is not saved: what it knew of this account ends with the process. */
	isUnsaved: boolean;
	/** So many of n8n's warnings were taken into account. */
	warningsSeen: number;
}

let lastWorkflow = 0;

export function createScene(schedule: Schedule, subject: Subject): Scene {
	const time = new VirtualTime();
	time.setHostError(schedule.hostErrorMs);
	time.install(subject.clock);
	if (subject.budgets !== undefined) setBudgets(subject.budgets, schedule.keysKept);
	const verdict = nothingWrong();
	const [service, other] = ['charge', 'other'].map((prefix) => {
		const made = new ModelService(schedule.traits, time, prefix);
		const { count, gapMs } = schedule.history;
		for (let index = count; index > 0; index--) made.insert(START_MS - index * gapMs);
		return made;
	}) as [ModelService, ModelService];
	const host = createHost(schedule, subject, service, time);
	host.parameters = toParameters(schedule.trigger);
	const accounts = [service, other].map((each, index) => {
		const oracle = new Oracle(schedule.trigger, each, host.deliveries, verdict, schedule.keysKept);
		const changes = new ChangeOracle(oracle, host.deliveries, verdict);
		return { service: each, apiKey: `secret-key-${index}`, oracle, changes };
	}) as [Account, Account];
	const [{ oracle, changes }] = accounts;
	return {
		schedule,
		host,
		time,
		verdict,
		accounts,
		oracle,
		changes,
		isUnsaved: false,
		warningsSeen: 0,
	};
}

function createHost(
	{ isDurable }: Schedule,
	subject: Subject,
	service: ModelService,
	time: VirtualTime,
): Host {
	lastWorkflow += 1;
	let isFirst = true;
	const startProcess: StartProcess = () => {
		// Each schedule is a workflow of its own, so the memory of the program's process is empty for it.
		if (!isFirst) return subject.startProcess();
		isFirst = false;
		return subject.poll;
	};
	return new Host(
		{ isDurable, workflowId: `workflow-${lastWorkflow}`, time, startProcess },
		{ baseUrl: 'https://pay.example.com', apiKey: 'secret-key-0', service },
	);
}
