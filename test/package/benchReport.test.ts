import { isHeld, valueOf, type Goal } from '../../bench/goals';

/** What would make the bench's verdict wrong, unseen. How its tables look shows whenever it runs. */

// The second round was three times as slow as the others, for both.
const measured = {
	node: [{ ms: 20 }, { ms: 60 }, { ms: 22 }],
	axios: [{ ms: 10 }, { ms: 30 }, { ms: 10 }],
};

it('takes the middle value of the rounds', () => {
	expect(valueOf({ quantity: 'ms', of: 'node' }, measured)).toBe(22);
});

it('compares each round with itself, so that a slow one does not show as a slow variant', () => {
	expect(valueOf({ quantity: 'ms', of: 'node', to: 'axios' }, measured)).toBe(2);
});

it.each<[limit: Partial<Goal>, value: number, held: boolean]>([
	[{ atMost: 1.4 }, 1.4, true],
	[{ atMost: 1.4 }, 1.41, false],
	[{ atLeast: 6 }, 6, true],
	[{ atLeast: 6 }, 5.9, false],
])('a goal of %j is judged at %p: %p', (limit, value, held) => {
	expect(isHeld({ quantity: 'ms', of: 'node', ...limit }, value)).toBe(held);
});

it.each([
	['what', { quantity: 'ms', of: 'another' }],
	['the quantity', { quantity: 'requests', of: 'node' }],
	['what it is compared with', { quantity: 'ms', of: 'node', to: 'another' }],
])('a goal is missed when %s was not measured', (_what, goal) => {
	expect(isHeld({ ...goal, atMost: 1.4 }, valueOf(goal, measured))).toBe(false);
	expect(isHeld({ ...goal, atLeast: 0 }, valueOf(goal, measured))).toBe(false);
});
