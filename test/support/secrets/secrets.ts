import { inspect, type InspectOptions } from 'node:util';

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

interface SecretHit {
	/** A name in `PLANTED`. */
	secret: string;
	/** The text around it. */
	near: string;
}

/** The memory that all small buffers share, at each of them. */
const SHARED_MEMORY = /parent: \[Getter\] ArrayBuffer \{ \[Uint8Contents\]: <[^>]*>/g;

const EVERYTHING: InspectOptions = {
	depth: Infinity,
	showHidden: true,
	getters: true,
	maxArrayLength: null,
	maxStringLength: null,
	breakLength: Infinity,
	compact: true,
};

/** How much to show of the text before and after a secret. */
const NEAR = 80;

/**
 * Looks through anything as Node shows it (errors with their hidden properties, maps, buffers, accessors of a class,
 * circular references) for secrets: plain, URL-encoded, in Base64, as bytes, or with a card number's digits in groups of
 * four. An empty array means that nothing leaked.
 */
export function findSecrets(
	value: unknown,
	secrets: Record<string, string> = PLANTED,
): SecretHit[] {
	// A class can hide something in how it shows itself.
	const texts = [true, false].map((customInspect) =>
		inspect(value, { ...EVERYTHING, customInspect }).replace(SHARED_MEMORY, ''),
	);
	return Object.entries(secrets).flatMap(([secret, plain]) => {
		const found = texts.flatMap((text) =>
			spellings(plain).flatMap((needle) => {
				const at = text.indexOf(needle);
				return at === -1 ? [] : [text.slice(Math.max(0, at - NEAR), at + NEAR)];
			}),
		);
		return found.slice(0, 1).map((near) => ({ secret, near }));
	});
}

function spellings(plain: string): string[] {
	const groups = /^\d{12,19}$/.test(plain) ? (plain.match(/\d{1,4}/g) ?? []) : [];
	const bytes = Buffer.from(plain);
	return [
		...[plain, encodeURIComponent(plain), bytes.toString('base64').replace(/=+$/, '')],
		// As Node shows an array of bytes, and the memory of one.
		...[bytes.join(', '), bytes.toString('hex').replace(/..(?=.)/g, '$& ')],
		...(groups.length > 0 ? [groups.join(' '), groups.join('-')] : []),
	];
}
