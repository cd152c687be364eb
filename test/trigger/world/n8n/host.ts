import type {
	IDataObject,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Fault } from '../service/answers';
import type { Service } from '../service/service';
import type { VirtualTime } from '../../../support/virtualTime';
import type { Damage, Ticks } from '../schedule';
import { createContext } from './context';
import { damaged } from './damage';
import { runPoll, type Poll, type PollEnd } from './poll';

const LEGACY_BUDGET_MS = 300_000;
const OWN_TICK_BUDGET_MS = 36_000;
/** After this time n8n abandons a tick with its own context, which continues to run. */
const OWN_TICK_LIMIT_MS = 45_000;
const ACTIVATION_TRIES = 5;
const NOTHING = '{}';

/** A trigger in the memory of one n8n process, unless each tick has its own. */
interface Registration {
	/** The node's static data as the node gets it: n8n sees values that are set, not edits deep inside them. */
	readonly staticData: IDataObject;
	/** The same data without the proxy. */
	readonly values: IDataObject;
	/** True if a value was set since the last save. */
	isChanged: boolean;
	hasPolled?: true;
	/** Set at activation; all polls have this context. */
	context?: IPollFunctions;
}

function createRegistration(saved: string): Registration {
	const values = JSON.parse(saved) as IDataObject;
	const staticData = new Proxy(values, {
		set(target, name, value) {
			registration.isChanged = true;
			return Reflect.set(target, name, value);
		},
		deleteProperty(target, name) {
			registration.isChanged = true;
			return Reflect.deleteProperty(target, name);
		},
	});
	const registration: Registration = { staticData, values, isChanged: false };
	return registration;
}

/** The poll that a state is from, and when that poll read. */
export interface Knowledge {
	/** The trigger that owns the state, and the key of its requests. */
	readonly owner: string;
	readonly apiKey: string;
	readonly pollNumber: number;
	/** When the poll began, by the service's clock and the host's, and the service's count of events then and at its end. */
	readonly at: number;
	readonly hostAt: number;
	readonly fromSequence: number;
	readonly toSequence: number;
}

/** A state in n8n's database; without knowledge if no poll ever received a page. */
interface Saved {
	readonly text: string;
	readonly knowledge: Knowledge | undefined;
}

/** One call of `poll()`, and what n8n did with its result. */
export interface PollResult extends PollEnd, Knowledge {
	readonly kind: 'activation' | 'tick';
	readonly budgetMs: number;
	/** True if n8n accepted the items. */
	readonly isAccepted: boolean;
	readonly stateBytes: number;
	readonly warnings: readonly string[];
}

/** A poll that n8n has prepared. Two that are due together contain the same cursor. */
export interface Tick {
	readonly kind: PollResult['kind'];
	readonly budgetMs: number;
	readonly context: IPollFunctions;
	readonly registration: Registration;
	/** The durable cursor as this poll may change it, and as it was. */
	readonly cursor?: { readonly values: IDataObject; readonly stored: string };
}

export interface HostOptions {
	readonly ticks: Ticks;
	/** ID of the workflow. Imports of it have longer IDs with the same beginning. */
	readonly workflowId: string;
	readonly time: VirtualTime;
	readonly service: Service;
	readonly startProcess: () => Poll;
	/** The process in which n8n runs until it dies. */
	readonly process: Poll;
}

/** n8n around one trigger node: provides each poll's context and saves its state (docs/n8n-engine.md, Polling). */
export class Host {
	parameters: INodeParameters = {};
	credentials = { baseUrl: 'https://pay.example.com', apiKey: 'secret-key-0' };
	nodeName = 'Trigger';
	workflowId: string;
	nodeId = 'trigger-node';
	readonly service: Service;
	isActive = false;
	/** A second registration of the same trigger, which n8n leaves behind after an import. */
	second: Registration | undefined;
	private registration = createRegistration(NOTHING);
	private poll: Poll;
	private polls = 0;
	/** Contents of the database: static data by node name, and the durable cursor. */
	private readonly saves = new Map<string, Saved>();
	private cursor: Saved | undefined;
	private formerSave = NOTHING;
	/** Lines in n8n's log since the last poll began. */
	private warnings: string[] = [];
	/** Lines that the node writes to n8n's log. */
	readonly warn = (text: string): void => void this.warnings.push(text);
	/** Knowledge in the memory of the process. */
	private memory: Knowledge | undefined;

	constructor(private readonly options: HostOptions) {
		this.service = options.service;
		this.poll = options.process;
		this.workflowId = options.workflowId;
	}

	private get owner(): string {
		return JSON.stringify([this.workflowId, this.nodeId, this.credentials.baseUrl]);
	}

	private get saved(): Saved | undefined {
		return this.isDurable ? this.cursor : this.saves.get(this.nodeName);
	}

	private get isDurable(): boolean {
		return this.options.ticks === 'durable';
	}

	/** True if each tick has its own context. */
	get hasOwnTicks(): boolean {
		return this.options.ticks !== 'registered';
	}

	/** The newest knowledge that the node can have. */
	get knowledge(): Knowledge | undefined {
		const { owner } = this;
		const [memory, saved] = [this.memory, this.saved?.knowledge].map((knowledge) =>
			knowledge?.owner === owner ? knowledge : undefined,
		);
		return (memory?.pollNumber ?? -1) > (saved?.pollNumber ?? -1) ? memory : saved;
	}

	/** Ends the process; the next one knows only the saved state. */
	die(): void {
		this.poll = this.options.startProcess();
		this.memory = undefined;
		this.isActive = false;
		this.second = undefined;
	}

	/** Damages the stored state, so that it no longer belongs to a poll. */
	damage(how: Damage, seed: number): void {
		const { saved } = this;
		if (saved === undefined) return;
		const wrong = { text: damaged(saved.text, how, seed), knowledge: undefined };
		this.saves.clear();
		if (this.isDurable) this.cursor = wrong;
		else this.saves.set(this.nodeName, wrong);
	}

	/** The user enters another key or base URL. */
	renew(what: 'key' | 'baseUrl'): void {
		const { apiKey, baseUrl } = this.credentials;
		if (what === 'key') this.credentials = { baseUrl, apiKey: `${apiKey}1` };
		else this.credentials = { apiKey, baseUrl: baseUrl.replace('//', '//api.') };
	}

	/** Moves the stored state to another workflow, or to a new node with the same name. */
	handOver(to: 'workflow' | 'node'): void {
		if (to === 'workflow') this.workflowId += ' imported';
		else this.nodeId += ' again';
	}

	/** Publishes the workflow or starts n8n; attempted up to five times. */
	async activate(mode: WorkflowActivateMode, faults: readonly Fault[] = []): Promise<PollResult> {
		this.registration = createRegistration(this.saves.get(this.nodeName)?.text ?? NOTHING);
		const tick = this.prepare('activation', this.registration, mode, LEGACY_BUDGET_MS);
		this.registration.context = tick.context;
		for (let attempt = 1; ; attempt++) {
			const result = await this.run(tick, { faults });
			if (result.end === 'threw' && attempt < ACTIVATION_TRIES) continue;
			this.isActive = result.end !== 'threw';
			if (this.isActive) this.save(this.registration, this.memory);
			return result;
		}
	}

	/** Adds a registration with a former save, activated without a poll. */
	registerAgain(): void {
		this.second = createRegistration(this.formerSave);
		this.second.context = this.prepare('tick', this.second, 'update', LEGACY_BUDGET_MS).context;
	}

	prepareTick(registration = this.registration): Tick {
		if (this.hasOwnTicks) {
			const fresh = createRegistration(this.saves.get(this.nodeName)?.text ?? NOTHING);
			return this.prepare('tick', fresh, 'update', OWN_TICK_BUDGET_MS);
		}
		const { context } = registration;
		if (context === undefined) throw new Error('A tick before the activation');
		// The first poll of the second registration is its activation, repeated while it throws.
		const kind = registration === this.second && !registration.hasPolled ? 'activation' : 'tick';
		return { kind, budgetMs: LEGACY_BUDGET_MS, registration, context };
	}

	private prepare(
		kind: Tick['kind'],
		registration: Registration,
		activationMode: WorkflowActivateMode,
		budgetMs: number,
	): Tick {
		const { isDurable } = this;
		// The first durable poll takes over the node's static data and stores it immediately.
		if (isDurable)
			this.cursor ??= { text: JSON.stringify(registration.values), knowledge: undefined };
		const stored = isDurable ? this.cursor?.text : undefined;
		const cursor =
			stored === undefined ? undefined : { values: JSON.parse(stored) as IDataObject, stored };
		const staticData = cursor?.values ?? registration.staticData;
		const context = createContext(this, { activationMode, budgetMs, staticData });
		return { kind, budgetMs, context, registration, ...(cursor === undefined ? {} : { cursor }) };
	}

	async run(
		{ kind, budgetMs, context, registration, cursor }: Tick,
		{ faults = [], isLost = false }: { faults?: readonly Fault[]; isLost?: boolean } = {},
	): Promise<PollResult> {
		const { service } = this;
		const { time } = this.options;
		const limit = this.hasOwnTicks && kind === 'tick' ? time.now + OWN_TICK_LIMIT_MS : undefined;
		service.beginPoll(faults);
		this.warnings = [];
		const { owner, credentials } = this;
		const { apiKey } = credentials;
		const hostAt = time.now + time.hostErrorMs;
		const knownAtStart = { owner, apiKey, at: time.now, hostAt, fromSequence: service.sequence };
		const outcome = await runPoll(this.poll, context, { time, limit, service });
		const left = JSON.stringify(cursor?.values ?? registration.values);
		const hasEnded = outcome.end === 'items' || outcome.end === 'nothing';
		const result: PollResult = {
			...outcome,
			...knownAtStart,
			toSequence: service.sequence,
			pollNumber: ++this.polls,
			kind,
			budgetMs,
			isAccepted: hasEnded && !(isLost && this.hasOwnTicks),
			stateBytes: left.length,
			warnings: this.warnings,
		};
		if (!hasEnded) return result;
		registration.hasPolled = true;
		const isKept = outcome.end === 'nothing' || !this.hasOwnTicks;
		const knowledge = outcome.goodAnswers > 0 ? result : this.knowledge;
		if (isKept) this.memory = knowledge;
		if (isLost) return result;
		if (cursor === undefined) {
			if (outcome.end === 'items') this.save(registration, knowledge);
		} else if ((kind === 'tick' || outcome.end === 'items') && left !== cursor.stored) {
			this.cursor = { text: left, knowledge };
		}
		return result;
	}

	private save(registration: Registration, knowledge: Knowledge | undefined): void {
		if (!registration.isChanged) return;
		this.formerSave = this.saves.get(this.nodeName)?.text ?? NOTHING;
		this.saves.set(this.nodeName, { text: JSON.stringify(registration.values), knowledge });
		registration.isChanged = false;
	}
}
