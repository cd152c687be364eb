import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../../contract/constants';

const ROOT = join(__dirname, '../..');

/** Where comments may cite a document. */
const SOURCES = ['bench', 'contract', 'credentials', 'nodes', 'sandbox', 'scripts', 'test'].flatMap(
	(folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.(ts|mjs)$/.test(name))
			.map((name) => join(folder, name)),
);

/** Runs a script of the package; what it prints is what is wrong. */
function run(...args: string[]): string[] {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: ROOT,
		encoding: 'utf8',
	});
	return [stdout, stderr, String(status)].map((text) => text.trim());
}

const FINE = ['', '', '0'];

const DOCUMENTS = [
	...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
	...readdirSync(join(ROOT, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
	'examples/README.md',
];

describe('the documents', () => {
	it('have the tables and pages that the code gives', () => {
		expect(run('scripts/generate/docs.mjs', '--check')).toEqual(FINE);
	});

	it('name every endpoint in the table of the service', () => {
		const text = readFileSync(join(ROOT, 'docs/service.md'), 'utf8');
		const table = text.slice(0, text.indexOf('## Conventions'));
		const missing = Object.values(ENDPOINTS).filter(
			({ method, path }) => !table.includes(`\`${method} ${path}\``),
		);
		expect(missing).toEqual([]);
	});

	it('name no command that package.json does not have', () => {
		const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
			scripts: Record<string, string>;
		};
		const named = DOCUMENTS.flatMap((name) => {
			const text = readFileSync(join(ROOT, name), 'utf8');
			return [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
		});
		expect(named.filter((script) => scripts[script ?? ''] === undefined)).toEqual([]);
	});

	it('quote code as it stands in the file that a quotation names', () => {
		const squeezed = (text: string) => text.replaceAll(/\s+/g, '');
		const quotations = DOCUMENTS.flatMap((name) => [
			...readFileSync(join(ROOT, name), 'utf8').matchAll(/^```[jt]s\n\/\/ (\S+)\n([^]*?)^```/gm),
		]);
		expect(quotations.length).toBeGreaterThan(0);
		for (const [, file = '', code = ''] of quotations) {
			expect([file, squeezed(readFileSync(join(ROOT, file), 'utf8'))]).toEqual([
				file,
				expect.stringContaining(squeezed(code)),
			]);
		}
	});

	it('have the sections that comments cite', () => {
		const missing = SOURCES.flatMap((source) => {
			const text = readFileSync(join(ROOT, source), 'utf8').replaceAll(/\n\s*(\*|\/\/) ?/g, ' ');
			return [...text.matchAll(/\b(docs\/[\w-]+\.md)(?:, ([A-Z][\w’ ]*))?/g)].flatMap(
				([citation, page = '', section]) => {
					if (!DOCUMENTS.includes(page)) return [`${source}: ${citation}`];
					const headings = readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm);
					const isThere =
						section === undefined ||
						[...headings].some(([, heading = '']) => section.startsWith(heading));
					return isThere ? [] : [`${source}: ${citation}`];
				},
			);
		});
		expect(missing).toEqual([]);
	});

	it('are all to be found from the README', () => {
		const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
		expect(
			DOCUMENTS.filter((name) => name !== 'README.md' && !readme.includes(`(${name}`)),
		).toEqual([]);
	});
});
