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
};
