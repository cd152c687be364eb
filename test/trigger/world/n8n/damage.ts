import type { Damage } from '../schedules/steps';

/** Makes of a stored state what a broken disk, an older version or a curious person could. */
export function damaged(text: string, how: Damage): string {
	const stored: unknown = JSON.parse(text, (_key, value: unknown) => damagedValue(value, how));
	if (how !== 'text') return JSON.stringify(stored);
	const names = Object.keys(stored as object);
	return JSON.stringify(Object.fromEntries(names.map((name) => [name, 'state'])));
}

function damagedValue(value: unknown, how: Damage): unknown {
	const isNumber = typeof value === 'number';
	if (!isNumber && typeof value !== 'string') return value;
	switch (how) {
		case 'nines':
			return isNumber ? value * 10 + 9 : value.replace(/\d/g, '9');
		case 'nulls':
			return null;
		case 'cut':
			return isNumber ? Math.floor(value / 10) : value.slice(0, -1);
		case 'swapped':
			return isNumber ? -value : value.slice(2) + value.slice(0, 2);
		case 'text':
			return value;
	}
}
