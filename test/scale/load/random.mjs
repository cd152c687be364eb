import { base, Faker } from '@faker-js/faker';

/** Chance that is the same for the same seed. */
export class Random {
	/** @param {number} seed */
	constructor(seed) {
		this.faker = new Faker({ locale: base, seed });
	}

	/**
	 * @param {number} min
	 * @param {number} max
	 */
	between(min, max) {
		return this.faker.number.float({ min, max });
	}

	/**
	 * As many small ones as large ones, by their size.
	 *
	 * @param {number} min above 0
	 * @param {number} max
	 */
	magnitude(min, max) {
		return min * Math.exp(this.between(0, Math.log(max / min)));
	}

	/**
	 * @param {number} min
	 * @param {number} max
	 */
	whole(min, max) {
		return this.faker.number.int({ min, max });
	}

	/** @param {number} probability */
	happens(probability) {
		return this.between(0, 1) < probability;
	}

	/**
	 * @template T
	 * @param {readonly T[]} list not empty
	 */
	oneOf(list) {
		return this.faker.helpers.arrayElement(list);
	}

	/**
	 * @template T
	 * @param {readonly T[]} list
	 */
	shuffled(list) {
		return this.faker.helpers.shuffle(list);
	}
}
