import { InvalidArgumentError } from 'commander';

/**
 * @param {number} [max]
 * @returns {(text: string) => number} reads an option's value
 */
export function wholeNumber(max = Number.MAX_SAFE_INTEGER) {
	return (text) => {
		if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
		throw new InvalidArgumentError(`It must be a whole number up to ${max}.`);
	};
}
