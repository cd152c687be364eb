const { LONG_FILES } = require('./test/support/jest/longestFirst.cjs');

/** `npm run test:quick` and `npm run test:watch`: all but the files that try thousands of cases. */
module.exports = {
	...require('./jest.config'),
	testPathIgnorePatterns: ['/node_modules/', LONG_FILES.source],
};
