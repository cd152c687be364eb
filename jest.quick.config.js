const { LONG_FILES } = require('./test/support/jest/longestFirst.cjs');

/**
 * `npm run test:quick` and `npm run test:watch`: what a change of the nodes is tried with, in less than 20 s. Left out are
 * files of more than a second or two each that few changes break, and the tests of the sandbox, the package and n8n itself.
 */
module.exports = {
	...require('./jest.config'),
	testPathIgnorePatterns: [
		'/node_modules/',
		LONG_FILES.source,
		'/test/(engine|package|sandbox|versions)/',
		'/(errors|idempotencyKey|inFlight|keyMemory|linear|manyItems|money|paging|reading|secretsLeave)\\.test\\.ts$',
	],
};
