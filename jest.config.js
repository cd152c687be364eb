/** Unit and engine tests. Types are checked once by `npm run typecheck`, so ts-jest only transpiles. */
module.exports = {
	testEnvironment: 'node',
	globalSetup: '<rootDir>/scripts/generate-currencies.mjs',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': [
			'ts-jest',
			{ tsconfig: 'tsconfig.json', isolatedModules: true, diagnostics: false },
		],
	},
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	testTimeout: 20_000,
};
