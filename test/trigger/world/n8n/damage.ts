import { mix } from '../service/charge';
import type { Damage } from '../schedule';

interface Spot {
	readonly parent: Record<string, unknown>;
	readonly name: string;
}

const NONSENSE = ['', 'nonsense', '9999-12-31T23:59:59.999Z', -1, 0, 1e308, null, [], {}];

/** Damages a stored state as a broken disk, another version or a curious person would. */
export function damaged(text: string, how: Damage, seed: number): string {
	if (how === 'emptied') return '{}';
	const stored = JSON.parse(text) as Record<string, unknown>;
	const spots = spotsOf(stored);
	const versions = spots.filter(({ name }) => /version/i.test(name));
	const candidates = how === 'version' && versions.length > 0 ? versions : spots;
	const spot = candidates[mix(seed) % Math.max(1, candidates.length)];
	if (spot === undefined) return text;
	const { parent, name } = spot;
	if (how === 'field') {
		if (Array.isArray(parent)) parent.splice(Number(name), 1);
		else Reflect.deleteProperty(parent, name);
	} else {
		parent[name] = how === 'version' ? 999 : otherValue(parent[name], seed);
	}
	return JSON.stringify(stored);
}

/** All fields at any depth. */
function spotsOf(parent: Record<string, unknown>): Spot[] {
	return Object.entries(parent).flatMap(([name, value]) => {
		const inside =
			typeof value === 'object' && value !== null ? spotsOf(value as Spot['parent']) : [];
		return [{ parent, name }, ...inside];
	});
}

/** Replaces a value by nonsense, or one of its characters. */
function otherValue(value: unknown, seed: number): unknown {
	const text = String(value);
	const isText = typeof value === 'string' && text !== '' && seed % 2 === 0;
	if (!isText) return NONSENSE[mix(seed + 1) % NONSENSE.length];
	const at = mix(seed + 2) % text.length;
	return `${text.slice(0, at)}${text[at] === '7' ? '3' : '7'}${text.slice(at + 1)}`;
}
