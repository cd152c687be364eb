/**
 * Values to plant in credentials and answers. They are long and odd on purpose: no timestamp, id
 * or amount contains one by chance, so every hit is a leak.
 */
export const PLANTED = {
	apiKey: 'pk-planted-7c1f0e94b2d84ad6',
	cardNumber: '4929420573595709',
	securityCode: 'cvv-planted-917',
	token: 'tok-planted-58ab3e0d2f',
} as const;

export interface SecretHit {
	/** Example: `error.cause.config.headers["X-API-KEY"]`. */
	path: string;
	/** A name in `PLANTED`. */
	secret: string;
}

/** Enough to see where a leak is; a leaked socket alone would give hundreds. */
const MAX_HITS = 50;

/**
 * Walks anything (errors with their hidden properties, maps, buffers, class instances, circular
 * references) and returns every place where a secret occurs: plain, URL-encoded, in Base64 or
 * with a card number's digits in groups of four. An empty array means that nothing leaked.
 */
export function findSecrets(
	value: unknown,
	secrets: Record<string, string> = PLANTED,
): SecretHit[] {
	const needles = Object.entries(secrets).flatMap(([secret, plain]) =>
		spellings(plain).map((needle) => ({ secret, needle })),
	);
	const hits: SecretHit[] = [];
	const seen = new Set<object>();
	const queue: Array<{ path: string; value: unknown }> = [{ path: 'value', value }];

	const scan = (path: string, content: string): void => {
		for (const { secret, needle } of needles) {
			if (!content.includes(needle)) continue;
			if (hits.some((hit) => hit.path === path && hit.secret === secret)) continue;
			hits.push({ path, secret });
		}
	};

	// The queue grows while it is walked. Taking entries off its front would move all others each time.
	for (const entry of queue) {
		if (hits.length >= MAX_HITS) break;
		const { path, value: current } = entry;
		switch (typeof current) {
			case 'string':
			case 'number':
			case 'bigint':
			case 'symbol':
				scan(path, String(current));
				break;
			case 'object':
			case 'function':
				if (current === null || seen.has(current)) break;
				seen.add(current);
				queue.push(...children(path, current, scan));
		}
	}
	return hits;
}

function spellings(plain: string): string[] {
	const groups = /^\d{12,19}$/.test(plain) ? (plain.match(/\d{1,4}/g) ?? []) : [];
	const base64 = Buffer.from(plain).toString('base64').replace(/=+$/, '');
	return [
		...new Set([
			plain,
			encodeURIComponent(plain),
			base64,
			...(groups.length > 0 ? [groups.join(' '), groups.join('-')] : []),
		]),
	];
}

function children(
	path: string,
	value: object,
	scan: (path: string, content: string) => void,
): Array<{ path: string; value: unknown }> {
	if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
		const bytes = ArrayBuffer.isView(value)
			? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
			: Buffer.from(value);
		scan(path, bytes.toString('latin1'));
		return [];
	}
	const found: Array<{ path: string; value: unknown }> = [];
	if (value instanceof URL || value instanceof Date || value instanceof RegExp) {
		scan(path, String(value));
	}
	const isCollection = [Map, Set, Headers, URLSearchParams].some((type) => value instanceof type);
	if (isCollection) {
		const entries = [...(value as Map<unknown, unknown>).entries()];
		found.push({ path: `${path}.entries()`, value: entries });
	}
	for (const key of Reflect.ownKeys(value)) {
		const name = step(path, key);
		if (typeof key === 'string') scan(`${name} (the name)`, key);
		found.push({ path: name, value: read(value, key) });
	}
	// Accessors of a class hold nothing themselves but may give out what is private (#field).
	for (let proto = prototypeOf(value); proto !== null; proto = prototypeOf(proto)) {
		for (const key of Reflect.ownKeys(proto)) {
			if (Reflect.getOwnPropertyDescriptor(proto, key)?.get === undefined) continue;
			found.push({ path: step(path, key), value: read(value, key) });
		}
	}
	return found;
}

/** The built-in prototypes end the walk: their accessors throw or lead nowhere. */
function prototypeOf(value: object): object | null {
	const proto: unknown = Object.getPrototypeOf(value);
	if (typeof proto !== 'object' || proto === null) return null;
	const { constructor } = proto as { constructor?: unknown };
	const isBuiltIn =
		typeof constructor === 'function' &&
		Function.prototype.toString.call(constructor).includes('[native code]');
	return isBuiltIn ? null : proto;
}

function read(value: object, key: string | symbol): unknown {
	try {
		return Reflect.get(value, key, value) as unknown;
	} catch {
		return undefined;
	}
}

function step(path: string, key: string | symbol): string {
	if (typeof key === 'symbol') return `${path}[${String(key)}]`;
	if (/^\d+$/.test(key)) return `${path}[${key}]`;
	return /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
