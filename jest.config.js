const { LONG_FILES } = require('./test/support/jest/longestFirst.cjs');

/** Selected by `TESTS=quick` and `TESTS=oldest`; without it, all tests run. */
const selections = {
	/**
	 * Tests what a change of the contract or of a definition can break, in less than 45 s. Leaves out slow files that few
	 * changes break, and the tests of the sandbox, the examples and n8n itself.
	 */
	quick: {
		testPathIgnorePatterns: [
			'/node_modules/',
			LONG_FILES.source,
			'/test/(engine|sandbox|versions)/',
			'/test/package/(currencies|ledgerPage|monthlyJournal|publishing|refundWithApproval)',
			'/(errors|idempotencyKey|inFlight|keyMemory|linear|money|paging|reading|secretsLeave)\\.test\\.ts$',
		],
	},
	/** Writes, errors and whole lists on the engine of the oldest supported n8n, with its n8n-workflow. */
	oldest: {
		testEnvironmentOptions: { n8nCore: 'n8n-core-1.123' },
		testMatch: [
			'**/test/action/{lists,refund,run,writes}/*.test.ts',
			'**/test/service/{credential*,errors,inFlight,retries}.test.ts',
			'**/test/engine/facts.test.ts',
		],
		testPathIgnorePatterns: [
			'/node_modules/',
			LONG_FILES.source,
			// Rules about amounts, rows, keys and URLs: the engine's part in them is that of the other files.
			'/(envelope|findRecord|full|keyMemory|ledger|onceOnly|sentWrites|truth)\\.test\\.ts$',
		],
		// The SSH client of that n8n has a timer that never ends.
		forceExit: true,
	},
};

/** Unit and engine tests. Types are checked once by `npm run typecheck`, so ts-jest only transpiles. */
module.exports = {
	runtime: '<rootDir>/test/support/jest/sharedPackages.cjs',
	testEnvironment: 'jest-environment-node-single-context',
	testSequencer: '<rootDir>/test/support/jest/longestFirst.cjs',
	globalSetup: '<rootDir>/scripts/generate/sources.mjs',
	// Jest counts the lines of a file that no test loads only when the file is below a root.
	roots: ['nodes', 'credentials', 'test'].map((name) => `<rootDir>/${name}`),
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }],
	},
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: [['text', { skipFull: true }]],
	coverageThreshold: { './nodes/': { branches: 95 }, './credentials/': { branches: 95 } },
	// It ends a test that hangs, on however busy a machine, and says nothing of how fast one is.
	testTimeout: 600_000,
	...selections[process.env.TESTS],
};
