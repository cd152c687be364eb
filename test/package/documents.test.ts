import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, filesIn, read } from './project';

const SOURCES = ['bench', 'contract', 'credentials', 'nodes', 'sandbox', 'scripts', 'test'].flatMap(
	(folder) => filesIn(folder, /\.(ts|mjs)$/),
);

const DOCUMENTS = [
	...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
	...filesIn('.github', /\.md$/),
	...filesIn('docs', /\.md$/),
	'examples/README.md',
];

/** A longer page takes more than one sitting, and a wider table does not fit a screen. */
const MAX_BYTES = 14_000;
const MAX_TABLE_WIDTH = 200;

const TEXTS_OF_N8N = new Set([
	'Unrecognized node type: n8n-nodes-payment-collection.…',
	'Installation of unverified community packages is forbidden',
	'At least 1 field is required',
]);

const matchesIn = (documents: readonly string[], pattern: RegExp) =>
	documents.flatMap((name) => [...read(name).matchAll(pattern)]);

describe('the documents', () => {
	it('are short pages with tables that fit a screen', () => {
		for (const name of DOCUMENTS) {
			const text = read(name);
			const widest = Math.max(...(text.match(/^\|.*/gm) ?? ['']).map(({ length }) => length));
			expect([name, text.length < MAX_BYTES, widest < MAX_TABLE_WIDTH]).toEqual([name, true, true]);
		}
	});

	it('name only commands of package.json', () => {
		const { scripts } = JSON.parse(read('package.json')) as {
			scripts: Record<string, string>;
		};
		const named = matchesIn(DOCUMENTS, /npm run ([\w:-]+)/g);
		expect(named.filter(([, script = '']) => scripts[script] === undefined)).toEqual([]);
	});

	it('name only files that exist', () => {
		const path = /`((?:contract|docs|examples|nodes|sandbox|scripts|test)\/[\w./-]+)`/g;
		const named = matchesIn(DOCUMENTS, path);
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter(([, file = '']) => !existsSync(join(ROOT, file)))).toEqual([]);
	});

	it('quote code as it is in the named file', () => {
		const squeezed = (text: string) => text.replaceAll(/\s+/g, '');
		const quotations = matchesIn(DOCUMENTS, /^ *```[jt]s\n *\/\/ (\S+)\n([^]*?)^ *```/gm);
		expect(quotations.length).toBeGreaterThan(0);
		for (const [, file = '', code = ''] of quotations) {
			expect([file, squeezed(read(file))]).toEqual([file, expect.stringContaining(squeezed(code))]);
		}
	});

	it('quote errors and warnings as the nodes report them', () => {
		const code = filesIn('nodes', /\.ts$/)
			.map(read)
			.map((text) => text.replaceAll(/^\s*(\/?\*|\/\/).*$/gm, ''))
			.map((text) => text.replaceAll(/notRefunded\(\s*`/g, '`NOT refunded: '));
		const isInCode = (quote: string) => {
			const parts = quote
				.split('…')
				.map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
			const pattern = new RegExp(parts.join('[^\\n]*'));
			return code.some((text) => pattern.test(text));
		};
		const pages = ['docs/troubleshooting.md', 'docs/trigger.md'];
		const quotes = matchesIn(pages, /“([^”]+)”/g).map(([, quote = '']) => quote);
		expect(quotes.length).toBeGreaterThan(15);
		expect(quotes.filter((quote) => !TEXTS_OF_N8N.has(quote) && !isInCode(quote))).toEqual([]);
	});

	it('have the sections that comments cite', () => {
		const missing = SOURCES.flatMap((source) => {
			const text = read(source).replaceAll(/\n\s*(\*|\/\/) ?/g, ' ');
			return [...text.matchAll(/\b(docs\/[\w-]+\.md)(?:, ([A-Z][\w’ ]*))?/g)].flatMap(
				([citation, page = '', section]) => {
					if (!DOCUMENTS.includes(page)) return [`${source}: ${citation}`];
					const headings = read(page).matchAll(/^#+ (.+)$/gm);
					const isThere =
						section === undefined ||
						[...headings].some(([, heading = '']) => section.startsWith(heading));
					return isThere ? [] : [`${source}: ${citation}`];
				},
			);
		});
		expect(missing).toEqual([]);
	});

	it('are all linked from the README', () => {
		const readme = read('README.md');
		// GitHub and coding agents find these by their names.
		const found = ['README.md', 'AGENTS.md', '.github/PULL_REQUEST_TEMPLATE.md'];
		expect(
			DOCUMENTS.filter((name) => !found.includes(name) && !readme.includes(`(${name}`)),
		).toEqual([]);
	});
});
