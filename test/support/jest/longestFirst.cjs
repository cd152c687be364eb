const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that try thousands of cases, or play long schedules. */
const LONG_FILES = /\.(property|matrix)\.test\.ts$|\/trigger\/promises\./;

/** The long files first, also where jest has not seen yet how long they take: a long one at the end runs alone. */
module.exports = class extends Sequencer {
	static LONG_FILES = LONG_FILES;

	/** @param {import('@jest/test-result').Test[]} tests */
	sort(tests) {
		const sorted = super.sort(tests);
		const isLong = (/** @type {{ path: string }} */ { path }) => LONG_FILES.test(path);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
