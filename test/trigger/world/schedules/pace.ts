import type { Change, Schedule, Step } from './steps';
import { MINUTE_MS } from '../time';

/** The lookback that durations are drawn for. */
const USUAL_MS = 60 * MINUTE_MS;
/** Between two polls that are not due together. */
export const LEAST_WAIT_MS = 20_000;

/** Where the lookback is another one, polls and charges come as much faster or slower. */
export function atPace(schedule: Schedule): Schedule {
	const share = (schedule.trigger.lookbackMinutes * MINUTE_MS) / USUAL_MS;
	if (share === 1) return schedule;
	const pacedChange = (change: Change): Change => {
		switch (change.kind) {
			case 'arrive':
				return { ...change, spreadMs: Math.floor(change.spreadMs * share) };
			case 'late':
				return { ...change, agoMs: Math.floor(change.agoMs * share) };
			case 'move':
				return { ...change, byMs: Math.floor(change.byMs * share) };
			default:
				return change;
		}
	};
	const paced = (step: Step): Step => {
		if (step.kind === 'change') return { ...step, changes: step.changes.map(pacedChange) };
		if (step.kind !== 'poll') return step;
		return {
			...step,
			waitMs: Math.max(LEAST_WAIT_MS, Math.floor(step.waitMs * share)),
			meanwhile: step.meanwhile.map(([request, change]) => [request, pacedChange(change)]),
		};
	};
	return { ...schedule, steps: schedule.steps.map(paced) };
}
