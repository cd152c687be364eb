import type {
	IDataObject,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Fault } from '../service/answers';
import { createContext } from './context';
import type { Account } from './context';
import { Deliveries } from './deliveries';
import type { Poll, PollResult, StartProcess } from './poll';
import { runPoll } from './poll';
import { createRegistration } from './registration';
import type { Registration } from './registration';
import type { ModelService } from '../service/service';
import type { VirtualTime } from '../time';

const LEGACY_BUDGET_MS = 300_000;
const DURABLE_BUDGET_MS = 36_000;
/** After so long n8n gives a durable tick up, though it goes on. */
const DURABLE_LIMIT_MS = 45_000;
const ACTIVATION_TRIES = 5;
const NOTHING = '{}';

/** A state in n8n's database. */
export interface Saved {
	readonly text: string;
	/** Whose list the poll read that left it; it need not hold anything of another account. */
	readonly account: ModelService;
	readonly parameters: INodeParameters;
	/** Items that were out when it was saved. */
	readonly delivered: number;
}

export interface HostOptions {
	readonly isDurable: boolean;
	readonly workflowId: string;
	readonly time: VirtualTime;
	readonly startProcess: StartProcess;
}

/** A tick that n8n has prepared: two that are due together hold the same cursor. */
export interface Tick {
	readonly kind: PollResult['kind'];
	readonly context: IPollFunctions;
	readonly registration: Registration;
	/** The durable cursor as this poll may change it, and as it was. */
	readonly cursor?: { readonly values: IDataObject; readonly stored: string };
}

/** What may become of a poll besides the usual. */
export interface Fate {
	readonly faults?: readonly Fault[];
	/** n8n dies before it has saved. */
	readonly isLost?: boolean;
	/** n8n throws the result away after `poll()` has returned it. */
	readonly isDiscarded?: boolean;
}

/** n8n around one trigger node: what it gives a poll, what it saves and when (docs/n8n-engine.md, Polling). */
export class Host {
	parameters: INodeParameters = {};
	nodeName = 'Trigger';
	/** What the database holds: the static data by the node's name, and the durable cursor. */
	readonly saves = new Map<string, Saved>();
	cursor: Saved | undefined;
	/** Former saves, for a database that is put back. */
	readonly formerSaves: Saved[] = [];
	readonly warnings: string[] = [];
	readonly deliveries = new Deliveries();
	isActive = false;
	/** The saved state was made unreadable, and none was saved since. */
	isDamaged = false;
	/** The accounts of which the node in this process may remember a state. */
	readonly remembers = new Set<ModelService>();
	registration: Registration;
	/** A second one of the same trigger, which n8n leaves behind after an import. */
	second: Registration | undefined;
	private poll: Poll;

	constructor(
		readonly options: HostOptions,
		public account: Account & { readonly service: ModelService },
	) {
		this.poll = options.startProcess();
		this.registration = createRegistration(NOTHING);
	}

	get saved(): Saved | undefined {
		const saved = this.cursor ?? this.saves.get(this.nodeName);
		return saved?.text === NOTHING ? undefined : saved;
	}

	/** Whether the node can know of its former polls. */
	get knows(): boolean {
		const { service } = this.account;
		return this.remembers.has(service) || (this.saved?.account === service && !this.isDamaged);
	}

	/** The process ends; the next one knows what is saved. */
	die(): void {
		this.poll = this.options.startProcess();
		this.remembers.clear();
		this.isActive = false;
		this.second = undefined;
	}

	/** A publish, or n8n's start; tried five times. */
	async activate(mode: WorkflowActivateMode, faults: readonly Fault[] = []): Promise<PollResult> {
		const { saved } = this;
		if (this.remembers.size === 0 && saved !== undefined)
			this.deliveries.forgiveSince(saved.delivered);
		this.registration = createRegistration(this.saves.get(this.nodeName)?.text ?? NOTHING);
		const tick = this.prepare('activation', this.registration, mode, LEGACY_BUDGET_MS);
		this.registration.context = tick.context;
		for (let attempt = 1; ; attempt++) {
			const result = await this.run(tick, { faults });
			if (result.end === 'threw' && attempt < ACTIVATION_TRIES) continue;
			this.isActive = result.end !== 'threw';
			if (this.isActive) this.save(this.registration);
			return result;
		}
	}

	/** Another registration over an older save, activated without a poll of its own. */
	registerAgain(text: string): void {
		this.second = createRegistration(text);
		this.second.context = this.prepare('tick', this.second, 'update', LEGACY_BUDGET_MS).context;
	}

	/** A tick that nothing happens to. */
	async tick(): Promise<PollResult> {
		return await this.run(this.prepareTick(), {});
	}

	prepareTick(registration = this.registration): Tick {
		if (this.options.isDurable) {
			const fresh = createRegistration(this.saves.get(this.nodeName)?.text ?? NOTHING);
			return this.prepare('tick', fresh, 'update', DURABLE_BUDGET_MS);
		}
		const { context } = registration;
		if (context === undefined) throw new Error('A tick before the activation');
		return { kind: 'tick', registration, context };
	}

	private prepare(
		kind: Tick['kind'],
		registration: Registration,
		activationMode: WorkflowActivateMode,
		budgetMs: number,
	): Tick {
		const { parameters, nodeName, account, warnings } = this;
		const { workflowId, isDurable } = this.options;
		// The first durable poll takes the node's static data over, and stores it right away.
		if (isDurable) {
			this.cursor ??= this.saveOf(JSON.stringify(registration.values));
		}
		const stored = isDurable ? this.cursor?.text : undefined;
		const cursor =
			stored === undefined ? undefined : { values: JSON.parse(stored) as IDataObject, stored };
		const context = createContext({
			workflowId,
			nodeName,
			parameters,
			account,
			activationMode,
			budgetMs,
			staticData: () => cursor?.values ?? registration.staticData,
			warnings,
		});
		return { kind, context, registration, ...(cursor === undefined ? {} : { cursor }) };
	}

	async run(
		tick: Tick,
		{ faults = [], isLost = false, isDiscarded = false }: Fate,
	): Promise<PollResult> {
		const { time, isDurable } = this.options;
		const { kind, context, registration, cursor } = tick;
		const { service } = this.account;
		const limit = isDurable && kind === 'tick' ? time.now + DURABLE_LIMIT_MS : undefined;
		service.beginPoll(faults);
		const before = JSON.stringify(cursor?.values ?? registration.values);
		service.isInPoll = true;
		const outcome = await runPoll(this.poll, context, { time, limit, service });
		service.isInPoll = false;
		const left = JSON.stringify(cursor?.values ?? registration.values);
		const result: PollResult = {
			...outcome,
			kind,
			isAccepted: outcome.end === 'items' && !isDiscarded,
			stateBytes: left.length,
			hasState: left !== before,
		};
		if (result.isAccepted) this.deliveries.accept(result.items);
		if (result.end === 'nothing' || result.end === 'items')
			this.keep(result, left, tick, { isLost, isDiscarded });
		return result;
	}

	/** What n8n does with the state after a poll that ended well. */
	private keep(
		{ kind, end, hasState, goodAnswers }: PollResult,
		left: string,
		tick: Tick,
		{ isLost, isDiscarded }: Fate,
	): void {
		const { cursor, registration } = tick;
		const isKept = end === 'nothing' || !(this.options.isDurable || isDiscarded === true);
		if (hasState && goodAnswers > 0 && isKept) this.remembers.add(this.account.service);
		if (isLost === true || isDiscarded === true) return;
		if (cursor === undefined) {
			if (end === 'items') this.save(registration);
		} else if ((kind === 'tick' || end === 'items') && left !== cursor.stored) {
			this.cursor = this.keepSave(left);
		}
	}

	private saveOf(text: string): Saved {
		const { parameters, account, deliveries } = this;
		return { text, account: account.service, parameters, delivered: deliveries.count };
	}

	private save(registration: Registration): void {
		if (!registration.isChanged) return;
		this.saves.set(this.nodeName, this.keepSave(JSON.stringify(registration.values)));
		registration.isChanged = false;
	}

	private keepSave(text: string): Saved {
		const saved = this.saveOf(text);
		this.formerSaves.push(saved);
		this.isDamaged = false;
		return saved;
	}
}
