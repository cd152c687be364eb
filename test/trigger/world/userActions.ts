import { isDeepStrictEqual } from 'node:util';
import { damaged } from './n8n/damage';
import type { Saved } from './n8n/host';
import type { Scene } from './scene';
import type { Step } from './schedules/steps';
import { isCounted } from './service/traits';
import { toParameters } from './userChoices';

type Action = Exclude<Step, { kind: 'change' | 'poll' }>;

const RENEWED = '-renewed';

const otherKeyOf = (key: string): string =>
	key.endsWith(RENEWED) ? key.slice(0, -RENEWED.length) : key + RENEWED;

const NAMES = ['Trigger', 'Payments'];
const otherName = (present: string): string => NAMES.find((name) => name !== present) ?? '';

/**
 * What users and administrators do.
 *
 * @returns how the trigger is activated after it, or undefined when it goes on
 */
export function actOn(scene: Scene, step: Action): 'publish' | 'start' | undefined {
	const { host, oracle, schedule, time } = scene;
	switch (step.kind) {
		case 'restart':
			host.die();
			oracle.forgetBaseline();
			if (scene.isUnsaved) oracle.interrupt();
			// Of an account that was left, too, n8n has saved what was known before that.
			if (schedule.isDurable) for (const account of scene.accounts) account.oracle.forgetSides();
			return 'start';
		case 'publish':
			return 'publish';
		case 'rename':
			host.nodeName = otherName(host.nodeName);
			// By its name it is another node.
			host.second = undefined;
			return 'publish';
		case 'filters': {
			const settings = { ...oracle.settings, filters: step.filters };
			scene.changes.changeFilters(settings, time.worstErrorMs);
			host.parameters = toParameters(settings);
			// A registration that goes on with the former filters would be right to tell what they let through.
			host.second = undefined;
			return 'publish';
		}
		case 'tune': {
			const settings = { ...oracle.settings, ...step.options };
			for (const account of scene.accounts) account.oracle.tune(step.options);
			host.parameters = toParameters(settings);
			// A registration that goes on with the former options would be right to tell as many as they say.
			host.second = undefined;
			return 'publish';
		}
		case 'choose': {
			const settings = { ...oracle.settings, ...step.choice };
			for (const { changes } of scene.accounts) changes.choose(step.choice);
			host.parameters = toParameters(settings);
			// A registration that goes on with the former choice would be right to tell what that asks for.
			host.second = undefined;
			return 'publish';
		}
		case 'renew':
			return renew(scene);
		case 'renameAndRenew':
			host.nodeName = otherName(host.nodeName);
			return renew(scene);
		case 'account':
		case 'visit':
			return changeAccount(scene);
		case 'rollback': {
			const older = host.formerSaves.at(-1 - step.saves);
			if (older === undefined) return undefined;
			putBack(scene, older);
			for (const account of scene.accounts) account.oracle.forgetSides();
			host.isDamaged = false;
			host.die();
			oracle.forgetBaseline();
			return 'start';
		}
		case 'damage': {
			const { saved } = host;
			if (saved === undefined) return undefined;
			// What was kept under another name is gone with it.
			host.saves.clear();
			putBack(scene, { ...saved, text: damaged(saved.text, step.how) });
			host.isDamaged = true;
			if (!step.restarts) {
				// The process may remember what was saved, or believe the save.
				oracle.forgetListed();
				// In durable mode it remembers no poll that had items.
				if (schedule.isDurable) host.deliveries.forgiveSince(0);
				return 'publish';
			}
			// Without a count, only dates tell what was there, and they may lie.
			if (!isCounted(schedule.traits)) host.deliveries.forgiveSince(0);
			host.die();
			oracle.forgetBaseline();
			return 'start';
		}
		case 'second': {
			const older = host.formerSaves.at(-1 - step.saves);
			if (host.second !== undefined) host.second = undefined;
			else if (older?.account === host.account.service && !schedule.isDurable)
				host.registerAgain(older.text);
			return undefined;
		}
		case 'hostClock':
			time.setHostError(step.errorMs);
			return undefined;
	}
}

function renew(scene: Scene): 'publish' | undefined {
	const { host, oracle, schedule } = scene;
	const account = scene.accounts.find((each) => each.oracle === oracle);
	if (account === undefined) return undefined;
	account.apiKey = otherKeyOf(account.apiKey);
	host.account = { ...host.account, apiKey: account.apiKey };
	// A registration that goes on with the former key is no other one than before.
	host.second = undefined;
	if (!oracle.isRecognised()) {
		oracle.beginAgain();
		scene.isUnsaved = schedule.isDurable;
	}
	return 'publish';
}

function changeAccount(scene: Scene): 'publish' | undefined {
	const { host, oracle, schedule, time } = scene;
	const next = scene.accounts.find((account) => account.oracle !== oracle);
	if (next === undefined) return undefined;
	scene.isUnsaved = schedule.isDurable;
	scene.oracle = next.oracle;
	scene.changes = next.changes;
	// Of filters that were set meanwhile, and taken back, its list has shown nothing.
	if (!isDeepStrictEqual(next.oracle.settings, oracle.settings))
		next.changes.changeFilters(oracle.settings, time.worstErrorMs);
	next.oracle.interrupt();
	host.second = undefined;
	host.account = { ...host.account, apiKey: next.apiKey, service: next.service };
	return 'publish';
}

function putBack({ host, schedule }: Scene, saved: Saved): void {
	// Copies from before would be of another life: no registration has one.
	host.formerSaves.length = 0;
	if (schedule.isDurable) host.cursor = saved;
	else host.saves.set(host.nodeName, saved);
}
