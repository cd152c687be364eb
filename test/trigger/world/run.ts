import type { Fault } from './service/answers';
import { checkPoll } from './judge/bounds';
import { apply } from './service/changes';
import type { PollResult } from './n8n/poll';
import { createScene } from './scene';
import type { Scene, Subject } from './scene';
import type { ModelService } from './service/service';
import { actOn } from './userActions';
import type { Change, Meanwhile, PollFate, Schedule, Step } from './schedules/steps';
import { MINUTE_MS, SECOND_MS } from './time';
import { lookbackMs } from './userChoices';
import type { Verdict } from './judge/verdict';

/** Polls at the end without faults: so many, and more where the list is long. */
const QUIET_POLLS = 60;

/** Plays a schedule through `poll()` and says which promises were broken. */
export async function play(schedule: Schedule, subject: Subject): Promise<Verdict> {
	const scene = createScene(schedule, subject);
	await activate(scene, schedule.firstFaults);
	for (const step of schedule.steps) await take(scene, step);
	await calmDown(scene);
	scene.oracle.close();
	scene.changes.close();
	scene.verdict.twice.push(...scene.host.deliveries.twice);
	const leaks = scene.host.warnings.filter((text) => text.includes(scene.host.account.apiKey));
	scene.verdict.leaked.push(...leaks);
	return scene.verdict;
}

/** The poll of a publish, or of n8n's start. */
async function activate(scene: Scene, faults: readonly Fault[], isStart = false): Promise<void> {
	const { host, oracle } = scene;
	// What a publish without items found out under new filters is not kept in durable mode: it begins anew.
	const isOfOthers = host.saved !== undefined && host.saved.parameters !== host.parameters;
	if (host.remembers.size === 0 && isOfOthers) oracle.forgetListed();
	oracle.beginPoll(host.knows, host.isDamaged);
	note(scene, [await host.activate(isStart ? 'init' : 'update', faults)]);
}

function note(scene: Scene, results: readonly PollResult[]): void {
	const { host, oracle, changes, verdict } = scene;
	for (const warning of host.warnings.slice(scene.warningsSeen)) oracle.overflow.note(warning);
	scene.warningsSeen = host.warnings.length;
	for (const result of results) {
		oracle.endPoll(result, host.knows);
		changes.endPoll(result);
		checkPoll(result, oracle, results.length, verdict);
	}
}

/** The ticks that are due at one time. */
async function poll(
	scene: Scene,
	faults: readonly Fault[],
	fate: PollFate,
	faultsAfter: readonly Fault[] = [],
): Promise<PollResult[]> {
	const { host, oracle, schedule } = scene;
	// A publish that failed is repeated by the user.
	if (!host.isActive) {
		await activate(scene, faults);
		return [];
	}
	oracle.beginPoll(host.knows, host.isDamaged);
	const isLost = fate === 'lost';
	const isDiscarded = fate === 'unpublished' || (isLost && schedule.isDurable);
	// One that is left behind goes on, and takes what was thrown away for told (docs/trigger.md).
	if (fate === 'unpublished') host.second = undefined;
	const ticks = [host.prepareTick()];
	if (fate === 'overlap' || fate === 'pair') ticks.push(host.prepareTick());
	if (host.second !== undefined) ticks.push(host.prepareTick(host.second));
	const results: PollResult[] = [];
	if (fate === 'overlap' || (fate === 'pair' && !schedule.isDurable)) {
		results.push(...(await Promise.all(ticks.map((tick) => host.run(tick, { faults })))));
	} else {
		for (const tick of ticks) results.push(await host.run(tick, { faults, isLost, isDiscarded }));
	}
	note(scene, results);
	if (results.some(({ isAccepted }) => isAccepted)) scene.isUnsaved = false;
	if (isLost && !schedule.isDurable) {
		host.die();
		oracle.forgetBaseline();
		if (scene.isUnsaved) oracle.interrupt();
		await activate(scene, [], true);
	}
	if (fate === 'unpublished') await activate(scene, faultsAfter);
	return results;
}

async function take(scene: Scene, step: Step): Promise<void> {
	const { service } = scene.oracle;
	switch (step.kind) {
		case 'change':
			// What happens in the very millisecond of a poll happens while it reads, see `meanwhile`.
			scene.time.now += SECOND_MS;
			applyAll(service, step.changes);
			return;
		case 'poll':
			scene.time.now += step.waitMs;
			service.afterAnswer = (request) => {
				scene.time.now += 1;
				applyAll(service, dueAt(step.meanwhile, request));
			};
			await poll(scene, step.faults, step.fate, step.faultsAfter);
			service.afterAnswer = () => undefined;
			return;
		default: {
			const mode = actOn(scene, step);
			scene.time.now += SECOND_MS;
			const faults = 'faults' in step ? (step.faults ?? []) : [];
			if (mode !== undefined) await activate(scene, faults, mode === 'start');
			if (step.kind === 'visit') {
				actOn(scene, step);
				await activate(scene, []);
			}
			if (step.kind === 'second') await meetSecond(scene);
			scene.time.now += SECOND_MS;
		}
	}
}

/** A second registration polls at once, as every activation does; the first one has gone on polling meanwhile. */
async function meetSecond(scene: Scene): Promise<void> {
	const { host } = scene;
	const { second } = host;
	if (second === undefined) return;
	host.second = undefined;
	// Right behind items nobody could tell an older copy from a result that was thrown away.
	for (let times = 0; times < 200; times++) {
		const results = await poll(scene, [], 'kept');
		if (results.every(({ items }) => items.length === 0)) break;
	}
	host.second = second;
	scene.oracle.beginPoll(host.knows, host.isDamaged);
	note(scene, [await host.run(host.prepareTick(second), {})]);
}

const dueAt = (meanwhile: readonly Meanwhile[], request: number): Change[] =>
	meanwhile.filter(([at]) => at === request).map(([, change]) => change);

function applyAll(service: ModelService, changes: readonly Change[]): void {
	for (const change of changes) apply(service, change);
}

/** Nothing goes wrong any more, and now and then a charge comes in, until all is told or must have been. */
async function calmDown(scene: Scene): Promise<void> {
	const { time, verdict, oracle, changes } = scene;
	const { service } = oracle;
	applyAll(service, [{ kind: 'cure' }, { kind: 'mend' }, { kind: 'settle' }]);
	const pages = oracle.pages();
	const backlogs = Math.ceil(service.charges.length / oracle.settings.maxCharges);
	const most = QUIET_POLLS + 3 * pages + 2 * backlogs;
	for (let count = 0; count < most; count++) {
		time.now += count % 3 === 2 ? Math.max(MINUTE_MS, lookbackMs(oracle.settings) / 3) : MINUTE_MS;
		if (count % 4 === 0 && count < QUIET_POLLS) service.insert(time.now);
		for (const { end, error } of await poll(scene, [], 'kept')) {
			if (end === 'threw') verdict.stuck.push(`a poll threw: ${error?.message ?? ''}`);
		}
		if (verdict.stuck.length > 2) return;
		const isOver = oracle.missing().length === 0 && changes.missing().length === 0;
		if (count > 3 && isOver && oracle.hasBegun) return;
	}
	if (!oracle.hasBegun) verdict.stuck.push('it never began');
}
