const { LONG_FILES } = require('./test/support/jest/longestFirst.cjs');

/**
 * What was done, what went wrong, and whole lists, on the engine of the oldest n8n that is supported, with the
 * n8n-workflow that came with it: `npm run test:oldest`.
 */
module.exports = {
	...require('./jest.config'),
	testEnvironmentOptions: { n8nCore: 'n8n-core-1.123' },
	testMatch: [
		'**/test/action/{lists,refund,run,writes}/*.test.ts',
		'**/test/service/{credential*,errors,inFlight,retries}.test.ts',
		'**/test/engine/facts.test.ts',
	],
	testPathIgnorePatterns: ['/node_modules/', LONG_FILES.source],
	// Its SSH client has a timer that never ends.
	forceExit: true,
};
