import { base, en, Faker, type Randomizer } from '@faker-js/faker';
import { createHash } from 'node:crypto';

/**
 * Each row draws from its own stream, named by seed, kind and number: row 5 is the same whether 10 or
 * 10,000 rows exist and in whatever order rows are built. faker's own generator takes 25 µs to seed, more
 * than building a row, so a small one (mulberry32) is plugged into the place that faker has for it.
 */
class SmallRandomizer implements Randomizer {
	private state = 0;

	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	seed(seed: number | number[]): void {
		this.state = typeof seed === 'number' ? seed : (seed[0] ?? 0);
	}
}

const faker = new Faker({ locale: [en, base], randomizer: new SmallRandomizer(), seed: 0 });

function digest(seed: number, kind: string, key: number | string): Buffer {
	return createHash('sha256').update(`${seed}:${kind}:${key}`).digest();
}

/** A UUID (version 4 in form) that depends on nothing but its name. */
export function idFor(seed: number, kind: string, key: number | string): string {
	const bytes = digest(seed, kind, key);
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	const hex = bytes.toString('hex', 0, 16);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		hex.slice(12, 16),
		hex.slice(16, 20),
		hex.slice(20),
	].join('-');
}

/**
 * The generator, set to the start of a row's stream. There is one for all: draw what a row needs before
 * asking for another row's.
 */
export function drawFor(seed: number, kind: string, key: number | string): Faker {
	faker.seed(digest(seed, kind, key).readInt32BE(16));
	return faker;
}

/** A seeded row's instant: one per gap on average, going back from `latestMs`, never increasing with the number. */
export function instantAt(index: number, latestMs: number, gapMs: number): number {
	// Every fiftieth row shares its instant with its neighbour: a reader must not take equal times for equal rows.
	const slot = index % 50 === 49 ? index - 1 : index;
	const jitter = ((slot * 7_919) % 997) / 997;
	return latestMs - Math.round((slot + 1 - 0.9 * jitter) * gapMs);
}
