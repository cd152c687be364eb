import fc from 'fast-check';
import type { Change, Schedule, Step } from './steps';
import { servedSize } from '../service/traits';
import { BY_DATE } from '../judge/doubts';

/** Charges that a poll tells where none has to wait. */
const NO_LIMIT = 5_000;

/** As few pages as the largest ones of a real service would be. */
export const pagesKept = fc.constantFrom(8, 8, 12, 20, 40);

/**
 * The trigger remembers so many pages of charges only. Left out is what docs/trigger.md leaves out then: what has to wait
 * in a list that is not by date, and charges that leave the list, or come back to it.
 */
export function rememberingFew(schedule: Schedule, pages: number): Schedule {
	const { traits, trigger } = schedule;
	const isOrdered = BY_DATE.has(traits.order) && !has(schedule, ({ kind }) => kind === 'reorder');
	const maxCharges = isOrdered ? trigger.maxCharges : NO_LIMIT;
	return {
		...without(schedule, maxCharges < NO_LIMIT ? LEAVING : MOVING),
		trigger: { ...trigger, maxCharges },
		keysKept: pages * servedSize(traits.pageSize, 100),
	};
}

/** It looks as if it came in, while nobody remembers it. */
const MOVING: ReadonlySet<Change['kind']> = new Set(['move', 'hide', 'show']);
const LEAVING: ReadonlySet<Change['kind']> = new Set([...MOVING, 'remove']);

const changesOf = (step: Step): Change[] => {
	if (step.kind === 'change') return [...step.changes];
	return step.kind === 'poll' ? step.meanwhile.map(([, change]) => change) : [];
};

const has = ({ steps }: Schedule, isMeant: (change: Change) => boolean): boolean =>
	steps.some((step) => changesOf(step).some(isMeant));

function without(schedule: Schedule, kinds: ReadonlySet<Change['kind']>): Schedule {
	const isLeft = ({ kind }: Change): boolean => !kinds.has(kind);
	const steps = schedule.steps.map((step): Step => {
		if (step.kind === 'change') return { ...step, changes: step.changes.filter(isLeft) };
		if (step.kind !== 'poll') return step;
		return { ...step, meanwhile: step.meanwhile.filter(([, change]) => isLeft(change)) };
	});
	return { ...schedule, steps };
}
