import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './project';

/** Additional fields of a charge, and the error of the build. */
const CHANGES: Array<[what: string, fields: string, error: RegExp]> = [
	['no additional field', '{}', /^none$/],
	[
		'a text without a meaning',
		'{ extra: z.string() }',
		/^charge → extra: its text needs a meaning/,
	],
	[
		'a nested text without a meaning',
		'{ extra: z.array(z.object({ deep: z.string().nullable().optional() })) }',
		/^charge → extra → deep: its text needs a meaning/,
	],
	[
		'a name with another meaning in another record',
		'{ business_name: secretText }',
		/^the records → business_name is secret in one record and free in another/,
	],
];

/** Runs the generator in its own process, since it can't use Jest's modules. */
const SCRIPT = `
	import records from '${ROOT}/scripts/generate/records.mjs';
	import { importTypeScript } from '${ROOT}/scripts/lib/typescript.mjs';
	const { z } = await importTypeScript('zod');
	const { secretText } = await importTypeScript('contract/schemas/primitives.ts');
	const { SERVICE_RECORDS } = await importTypeScript('contract/schemas/records.ts');
	const { charge } = SERVICE_RECORDS;
	const errors = [];
	for (const fields of [${CHANGES.map(([, fields]) => fields).join(', ')}]) {
		SERVICE_RECORDS.charge = charge.extend(fields);
		errors.push(await records().then(() => 'none', (error) => error.message));
	}
	console.log(JSON.stringify(errors));
`;

it('the build refuses a contract with a text that has no meaning or two', async () => {
	const args = ['--input-type=module', '--eval', SCRIPT];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	const errors = JSON.parse(stdout) as string[];
	expect(CHANGES.map(([what], index) => [what, errors[index]])).toEqual(
		CHANGES.map(([what, , error]) => [what, expect.stringMatching(error) as string]),
	);
});

it('npm start works without generated sources, as in a fresh clone', async () => {
	const clone = await mkdtemp(join(tmpdir(), 'payment-collection-clone-'));
	const isCommitted = (path: string): boolean => !path.endsWith('.generated.ts');
	for (const name of ['scripts', 'sandbox', 'contract', 'nodes', 'credentials', 'package.json'])
		await cp(join(ROOT, name), join(clone, name), { recursive: true, filter: isCommitted });
	await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	const args = [join(clone, 'scripts/start.mjs'), '--help'];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	expect(stdout).toContain('Usage:');
	await rm(clone, { recursive: true });
});
