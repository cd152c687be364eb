import { createRequire } from 'node:module';

import * as newest from 'n8n-workflow';

type Workflow = typeof newest;

/** The n8n-workflow of each n8n that is supported, oldest first; the last one is the newest. */
export const N8N_LINES: ReadonlyArray<readonly [string, Workflow]> = [
	['1.123', createRequire(require.resolve('n8n-core-1.123'))('n8n-workflow') as Workflow],
	['2.20', jest.requireActual<Workflow>('n8n-workflow-2.20')],
	['2.36', jest.requireActual<Workflow>('n8n-workflow-2.36')],
	['2.41', newest],
];
