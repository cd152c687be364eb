/** Lists which folder may import which. Checked by `npm run lint`. */

const SHIPPED = '^(nodes|credentials)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{
			name: 'no-import-circle',
			comment: 'Types included: a file can be understood after those that it imports.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-folder-circle',
			comment: 'A folder stands above everything that it imports, directly or not.',
			severity: 'error',
			scope: 'folder',
			from: { path: '^nodes/' },
			to: { circular: true },
		},
		{
			name: 'nodes-do-not-know-each-other',
			comment: 'What both need is in nodes/shared.',
			severity: 'error',
			from: { path: '^nodes/(PaymentCollection|PaymentCollectionTrigger)/' },
			to: {
				path: '^nodes/(PaymentCollection|PaymentCollectionTrigger)/',
				pathNot: '^nodes/$1/',
			},
		},
		{
			name: 'shared-knows-no-node',
			severity: 'error',
			from: { path: '^nodes/shared/' },
			to: { path: '^nodes/(?!shared/)' },
		},
		{
			name: 'contract-knows-nobody',
			severity: 'error',
			from: { path: '^contract/' },
			to: { pathNot: ['^contract/', '^node_modules/zod/'] },
		},
		{
			name: 'shipped-code-stands-alone',
			comment:
				'n8n takes no runtime dependency but n8n-workflow, and nobody installs tests or the sandbox.',
			severity: 'error',
			from: { path: SHIPPED },
			to: {
				pathNot: [SHIPPED, '^contract/', '^node_modules/n8n-workflow/'],
				dependencyTypesNot: ['core'],
			},
		},
		{
			name: 'shipped-code-takes-plain-data-of-the-contract',
			comment:
				'The schemas are built with zod, which does not ship: only their types may be taken.',
			severity: 'error',
			from: { path: SHIPPED },
			to: { path: '^contract/schemas/', dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'sandbox-knows-no-node',
			comment: 'The service that the nodes are tried against must not share their mistakes.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|test)/' },
		},
		{
			name: 'resources-do-not-know-each-other',
			severity: 'error',
			from: { path: '^nodes/PaymentCollection/resources/([^/]+)/' },
			to: {
				path: '^nodes/PaymentCollection/resources/[^/]+/',
				pathNot: '^nodes/PaymentCollection/resources/$1/',
			},
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: '^node_modules' },
	},
};
