import type { INodeParameters } from 'n8n-workflow';
import type { budgets as nodesBudgets } from '../../../nodes/PaymentCollectionTrigger/state/datedKeys';
import { Bounds } from './examiner/bounds';
import { Examiner } from './examiner/examiner';
import type { Verdict } from './examiner/verdict';
import { Host, type PollResult } from './n8n/host';
import type { Poll } from './n8n/poll';
import { FROM_DATE_MS, PLAIN_SETTINGS, createdEventOf } from './schedule';
import type { Change, Schedule, Settings, Step } from './schedule';
import type { Fault } from './service/answers';
import type { Charge } from './service/charge';
import { Service } from './service/service';
import { VirtualTime, type Clock } from '../../support/virtualTime';
import { HOUR_MS, MINUTE_MS, SECOND_MS, START_MS } from './time';

/** The trigger under test. */
export interface Subject {
	/** The nodes' clock in all processes. */
	readonly clock: Clock;
	/** The nodes' limits of memory in all processes. */
	readonly budgets: typeof nodesBudgets;
	/** A process with an empty memory. */
	readonly startProcess: () => Poll;
	/** A process that schedules share: it remembers nothing of a new workflow. */
	readonly process: Poll;
}

/** Polls without failures at the end of a schedule; long lists have more. */
const CALM_POLLS = 40;
/** New charges above which they are a backlog, if a poll emits few. */
const FEW_RECENT_KEYS = 60;
/** Factor if each poll has time for only one request. */
const SLOW_FACTOR = 10;
/** Polls that run even if nothing is missing, since they could emit wrong events. */
const LEAST_CALM_POLLS = 8;
const ASKED_SIZE = 100;

let lastWorkflow = 0;

/** Plays a schedule through `poll()` and says which laws were broken. */
export async function play(schedule: Schedule, subject: Subject): Promise<Verdict> {
	const { budgets } = subject;
	const { keys, settings } = schedule;
	const usual = { ...budgets };
	if (settings.maxCharges < PLAIN_SETTINGS.maxCharges) budgets.recentKeys = FEW_RECENT_KEYS;
	if (keys > 0)
		Object.assign(budgets, { knownKeys: keys, factKeys: keys, recentKeys: Math.ceil(keys / 4) });
	try {
		return await new Player(schedule, subject).play();
	} finally {
		Object.assign(budgets, usual);
	}
}

class Player {
	private readonly time = new VirtualTime(START_MS);
	private readonly service: Service;
	private readonly host: Host;
	private examiner: Examiner;
	private bounds: Bounds;

	constructor(
		private readonly schedule: Schedule,
		subject: Subject,
	) {
		const { traits, settings, history, keys, hostErrorS, isCheap, ticks } = schedule;
		this.time.install(subject.clock);
		this.time.hostErrorMs = hostErrorS * SECOND_MS;
		this.service = new Service(traits, this.time, createdEventOf(settings));
		this.time.now = START_MS - SECOND_MS;
		for (let index = history.count; index > 0; index--) {
			const charge = this.service.insert(START_MS - index * history.gapS * SECOND_MS);
			if (history.isChanged && index % 3 === 0) this.service.moveOn(charge);
			if (history.isChanged && index % 4 === 0) this.service.refund(charge);
			if (history.poisoned && index % history.poisoned === 0) charge.poisonedAt = START_MS;
		}
		this.time.now = START_MS;
		if (history.miscount !== undefined)
			this.service.miscount = { count: history.miscount, polls: 1 };
		if (history.aheadS !== undefined)
			happen(this.service, { do: 'future', aheadS: history.aheadS });
		this.host = new Host({
			ticks,
			workflowId: `workflow-${++lastWorkflow}`,
			time: this.time,
			service: this.service,
			startProcess: subject.startProcess,
			process: subject.process,
		});
		this.host.parameters = parametersOf(settings);
		this.examiner = new Examiner(settings, this.service, keys);
		this.bounds = new Bounds(this.examiner, isCheap);
		this.service.beforeGoodAnswer = () => this.examiner.firstPage();
		this.service.beforeNewEnd = () => this.examiner.newEnd();
	}

	async play(): Promise<Verdict> {
		const { during, faults } = this.schedule;
		await this.meanwhile(during, async () => await this.activate('activate', faults));
		for (const step of this.schedule.steps) {
			await this.take(step);
			if (this.isDecided) return this.examiner.verdict;
		}
		await this.calmDown();
		const { examiner } = this;
		for (const { id } of examiner.missing()) examiner.blame('lost', id);
		return examiner.verdict;
	}

	private get isDecided(): boolean {
		return Object.keys(this.examiner.verdict).length > 0;
	}

	/** The stored state belongs to another trigger now, so this one begins from nothing. */
	private beginAgain(): void {
		const { schedule, service, examiner } = this;
		this.examiner = new Examiner(examiner.settings, service, schedule.keys);
		this.bounds = new Bounds(this.examiner, schedule.isCheap);
	}

	/** The list as the trigger requests it. */
	private pages(): Charge[][] {
		const { currency, customerId, type } = this.examiner.settings.filters;
		return this.service.pages({ currency, customer_id: customerId, type, page_size: ASKED_SIZE });
	}

	private async activate(mode: 'activate' | 'update' | 'init', faults: readonly Fault[] = []) {
		this.note([await this.host.activate(mode, faults)]);
	}

	private note(results: readonly PollResult[]): void {
		const pages = this.pages();
		for (const result of results) {
			this.examiner.endPoll(result, pages.length);
			this.bounds.check(result, pages, results.length);
		}
	}

	private async poll({
		faults = [],
		fate = 'kept',
	}: Pick<Extract<Step, { do: 'poll' }>, 'faults' | 'fate'>) {
		const { host, examiner } = this;
		// The user repeats a publish that failed.
		if (!host.isActive) {
			await this.activate('activate', faults);
			return;
		}
		const ticks = [host.prepareTick()];
		if (fate === 'overlap' || (fate === 'pair' && host.hasOwnTicks)) ticks.push(host.prepareTick());
		if (host.second !== undefined) ticks.push(host.prepareTick(host.second));
		if (fate === 'overlap') {
			this.note(await Promise.all(ticks.map(async (tick) => await host.run(tick, { faults }))));
			return;
		}
		const isLost = fate === 'crash' || (fate === 'discarded' && host.hasOwnTicks);
		for (const tick of ticks) {
			const result = await host.run(tick, { faults, isLost });
			this.note([result]);
			if (isLost && result.isAccepted) examiner.forgive(result);
		}
		if (fate === 'crash') await this.restart();
	}

	private async restart(faults: readonly Fault[] = []): Promise<void> {
		const { host, examiner } = this;
		host.die();
		const saved = host.knowledge;
		examiner.restart(saved);
		// No saved poll used the present key.
		if (saved !== undefined && saved.apiKey !== host.credentials.apiKey) examiner.renew(saved);
		await this.activate('init', faults);
	}

	/** Publishes a changed workflow, which ends all former registrations. */
	private async publishChanged(): Promise<void> {
		const { host, examiner } = this;
		host.second = undefined;
		host.parameters = parametersOf(examiner.settings);
		await this.activate('update');
	}

	/** Polls, with these changes while the poll reads. */
	private async meanwhile(during: Schedule['during'] = [], poll: () => Promise<void>) {
		const { service, time } = this;
		service.afterAnswer = (request) => {
			time.now += 1;
			for (const [at, change] of during) if (at === request) happen(service, change);
		};
		await poll();
		service.afterAnswer = () => undefined;
	}

	private async take(step: Step): Promise<void> {
		const { host, examiner, service, time } = this;
		// A change in the same millisecond as a poll would happen while it reads.
		time.now += SECOND_MS;
		switch (step.do) {
			case 'poll':
				time.now += step.waitS * SECOND_MS;
				await this.meanwhile(step.during, async () => await this.poll(step));
				return;
			case 'restart':
				await this.restart(step.faults);
				return;
			case 'publish':
				await this.activate('update', step.faults);
				return;
			case 'rename':
				host.nodeName = host.nodeName === 'Trigger' ? 'Payments' : 'Trigger';
				await this.publishChanged();
				return;
			case 'filters':
				examiner.change(step.filters, host.knowledge);
				await this.publishChanged();
				return;
			case 'renew':
				examiner.renew(host.knowledge);
				host.renew(step.what);
				if (step.what === 'baseUrl') this.beginAgain();
				await this.publishChanged();
				return;
			case 'account':
				examiner.changeAccount(service.changeAccount(step.count), host.knowledge);
				host.renew('key');
				await this.publishChanged();
				return;
			case 'handOver':
				host.handOver(step.to);
				this.beginAgain();
				await this.publishChanged();
				return;
			case 'pause':
				time.now += step.waitS * SECOND_MS;
				return;
			case 'damage':
				host.die();
				examiner.damage(host.knowledge);
				host.damage(step.how, step.seed);
				await this.activate('init');
				return;
			case 'second':
				if (host.second !== undefined) host.second = undefined;
				else if (!host.hasOwnTicks && host.isActive) host.registerAgain();
				return;
			case 'clock':
				time.hostErrorMs = step.errorS * SECOND_MS;
				return;
			case 'jump': {
				const { hostErrorMs } = time;
				time.hostErrorMs = step.errorS * SECOND_MS;
				await this.poll({});
				time.hostErrorMs = hostErrorMs;
				return;
			}
			case 'latency':
				service.latencyMs = step.ms;
				return;
			default:
				happen(service, step);
		}
	}

	/** Polls without failures, with a new charge now and then, until all events were or must have been emitted. */
	private async calmDown(): Promise<void> {
		const { time, service, examiner, schedule } = this;
		service.cure();
		service.mend();
		service.miscount = undefined;
		if (!schedule.isSlow) service.latencyMs = 0;
		const lookbackMs = schedule.settings.lookbackMinutes * MINUTE_MS;
		const backlog = Math.ceil(service.charges.length / schedule.settings.maxCharges);
		const usual = CALM_POLLS + 2 * backlog + 3 * this.pages().length;
		const most = schedule.isSlow ? SLOW_FACTOR * usual : usual;
		const least = schedule.isSlow ? CALM_POLLS : LEAST_CALM_POLLS;
		for (let count = 0; count < most && !this.isDecided; count++) {
			time.now += count % 3 === 2 ? Math.max(MINUTE_MS, lookbackMs / 3) : MINUTE_MS;
			if (count > CALM_POLLS / 2) time.now += HOUR_MS / 2;
			if (count % 4 === 0 && count < least) service.insert(time.now);
			await this.poll({});
			if (count >= least && examiner.missing().length === 0) return;
		}
	}
}

/** Applies a change to the service. */
function happen(service: Service, change: Change): void {
	const { now } = service.time;
	switch (change.do) {
		case 'arrive': {
			const lateMs = (change.lateS ?? 0) * SECOND_MS;
			for (let left = change.count; left > 0; left--)
				service.insert(now - Math.floor((lateMs * left) / change.count), change.status);
			return;
		}
		case 'future':
			service.insert(now + change.aheadS * SECOND_MS);
			return;
		case 'unreadable':
			service.insert(now).defect = change.defect;
			return;
		case 'mend':
			service.mend();
			return;
		case 'cure':
			service.cure();
			return;
		case 'miscount':
			service.miscount = change;
			return;
		default: {
			const listed = service.charges.filter(({ isListed }) => isListed);
			const first = change.pick % Math.max(1, listed.length);
			const { count = 1 } = 'count' in change ? change : {};
			for (const charge of listed.toReversed().slice(first, first + count)) {
				if (change.do === 'refund') service.refund(charge);
				else if (change.do === 'touch') service.changed(charge);
				else if (change.do === 'poison') charge.poisonedAt ??= now;
				else service.moveOn(charge);
			}
		}
	}
}

/** The node's parameters for these settings. */
function parametersOf(settings: Settings): INodeParameters {
	const { statuses, ...filters } = settings.filters;
	const { startFrom } = settings;
	const isOfCustomers = createdEventOf(settings) === 'customer.created';
	return {
		...(isOfCustomers ? { resource: 'customer' } : { events: [...settings.events] }),
		filters: { ...filters, ...(statuses === undefined ? {} : { status: statuses.join(', ') }) },
		// Simplify would leave out fields that events report.
		simplify: false,
		options: {
			startFrom,
			...(startFrom === 'date' ? { startDate: new Date(FROM_DATE_MS).toISOString() } : {}),
			lookbackMinutes: settings.lookbackMinutes,
			maxChargesPerPoll: settings.maxCharges,
			...(isOfCustomers ? {} : { watchDays: settings.watchDays, sweepPages: settings.sweepPages }),
		},
	};
}
