import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import globals from 'globals';
import tseslint from 'typescript-eslint';

import readOnce from './scripts/lint/readOnce.mjs';

/** Files that n8n's own scan checks (scripts/scan.mjs). An editor shows its rules with this configuration. */
const N8N_FILES = ['package.json', '{nodes,credentials}/**/*.ts'];

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', 'contract/*.generated.ts']),
	{
		files: ['**/*.{js,cjs,mjs,ts}'],
		plugins: { 'read-once': readOnce },
		rules: { 'read-once/subject-first': 'error', 'read-once/fields-words': 'error' },
	},

	{
		files: ['**/*.{js,mjs}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals.node },
		rules: { 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
	},

	{
		files: ['**/*.ts'],
		extends: [
			js.configs.recommended,
			tseslint.configs.strictTypeChecked,
			tseslint.configs.stylisticTypeChecked,
		],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			// Taking some properties out is how the others are kept.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			// A function that only promises to be asynchronous is what n8n's and the framework's interfaces ask for.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/array-type': 'off',
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			// An empty text is as good as none in most places here.
			'@typescript-eslint/prefer-nullish-coalescing': [
				'error',
				{ ignorePrimitives: { string: true } },
			],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
		},
	},

	{
		files: N8N_FILES,
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		rules: { 'no-console': 'error', 'no-duplicate-imports': 'error' },
	},
	{ files: N8N_FILES, plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// These two are off in n8n's scan too: the first is for n8n's own nodes, the second is superseded.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Off in n8n's scan too: inputs and outputs may be enumeration members, and a service may have a true maximum.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
