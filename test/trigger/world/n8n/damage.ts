import { mix } from '../service/charge';
import type { Damage } from '../schedule';

/** Other values of a field; `undefined` removes it. */
const NONSENSE = [
	undefined,
	'',
	'nonsense',
	'9999-12-31T23:59:59.999Z',
	-1,
	0,
	1e308,
	null,
	[],
	{},
];

/** Damages a stored state as a broken disk, another version or a curious person would. */
export function damaged(text: string, how: Damage, seed: number): string {
	if (how === 'emptied') return '{}';
	// JSON.parse ends with the whole state, which is not a field.
	let fields = -1;
	JSON.parse(text, () => fields++);
	let left = mix(seed) % fields;
	const damage = (_: string, value: unknown) => (left-- === 0 ? otherValue(value, seed) : value);
	return JSON.stringify(JSON.parse(text, damage));
}

/** Replaces a value by nonsense, or one of its characters. */
function otherValue(value: unknown, seed: number): unknown {
	const text = String(value);
	const isText = typeof value === 'string' && text !== '' && seed % 2 === 0;
	if (!isText) return NONSENSE[mix(seed + 1) % NONSENSE.length];
	const at = mix(seed + 2) % text.length;
	return `${text.slice(0, at)}${text[at] === '7' ? '3' : '7'}${text.slice(at + 1)}`;
}
