const { LONG_FILES } = require('./test/support/jest/longestFirst.cjs');

/**
 * `npm run test:quick` and `npm run test:watch`: all that a change of the contract or of a definition can break, in less
 * than 45 s. Leaves out slow files that few changes break, and the tests of the sandbox, the examples and n8n itself.
 */
module.exports = {
	...require('./jest.config'),
	testPathIgnorePatterns: [
		'/node_modules/',
		LONG_FILES.source,
		'/test/(engine|sandbox|versions)/',
		'/test/package/(currencies|ledgerPage|monthlyJournal|publishing|refundWithApproval)',
		'/(errors|idempotencyKey|inFlight|keyMemory|linear|money|paging|reading|secretsLeave)\\.test\\.ts$',
	],
};
