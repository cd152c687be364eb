import ts from 'typescript';

import { filesIn, read } from './project';

/** Words that are not American English or not n8n's, and their replacements. */
const WORDS: ReadonlyArray<[RegExp, instead: string]> = [
	[/\b(told|tells?)\b/i, 'emit, return, say'],
	[/\ball the same\b/i, 'still, even so'],
	[/\b(came|comes|become|became) of (it|that|them)\b/i, 'result'],
	[/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one'],
	[/\bwhoever\b/i, 'anyone who'],
	[/\b(goes|go|going|went) on\b/i, 'continue'],
	[/\bmay not do\b/i, 'does not have permission to do'],
	[/\bset by hand\b|\bleave to the model\b/i, 'set yourself, let the model set'],
	[/\b(is|are) led\b/i, 'is sent'],
	[/\bof as much\b/i, 'of the same amount'],
	[/\bwhat (is|was) refunded\b/i, 'refunded amount'],
	[/\bin the meanwhile\b|\bpass(ed|es)? over\b/i, 'meanwhile, skip'],
	[/\b(final|base|service’s own) address\b|\baddress of the service\b/i, 'URL'],
	[/\bthe document\b/i, 'API documentation'],
	[/\bits interface\b/i, 'API'],
	[/\bSweep Pages\b|\bMax Concurrency\b/, 'the labels of today'],
];

/** In comments, one word for what is sent more than once. */
const WORDS_OF_COMMENTS: typeof WORDS = [
	...WORDS,
	[/\b(an?|each|every|earlier|last) try\b|\btries\b/i, 'attempt'],
];

/** Texts of the credential's test. */
const KEPT = ['Whoever runs this n8n can allow', 'tell n8n so with NODE_EXTRA_CA_CERTS'];

interface Text {
	readonly file: string;
	readonly line: number;
	readonly text: string;
}

function textsOf(file: string): Text[] {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const texts: Text[] = [];
	const look = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'test') return;
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateMiddleOrTemplateTail(node) ||
			ts.isTemplateHead(node)
		) {
			const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
			texts.push({ file, line, text: node.text });
		}
		ts.forEachChild(node, look);
	};
	look(source);
	return texts;
}

const linesOf = (file: string): Text[] =>
	read(file)
		.split('\n')
		.map((text, index) => ({ file, line: index + 1, text }));

const SHOWN: readonly Text[] = [
	...[...filesIn('nodes', /\.ts$/), ...filesIn('credentials', /\.ts$/)].flatMap(textsOf),
	...['README.md', 'SECURITY.md', ...filesIn('docs', /\.md$/), 'examples/README.md'].flatMap(
		linesOf,
	),
	// The notes of the examples; the rest of a workflow is code and data.
	...filesIn('examples', /\.json$/)
		.flatMap(linesOf)
		.filter(({ text }) => /^\s*"(content|formDescription)":/.test(text)),
];

const isComment = ({ text }: Text): boolean => /^\s*(\/?\*|\/\/)/.test(text);

const found = (texts: readonly Text[], words: typeof WORDS): string[] =>
	texts.flatMap(({ file, line, text }) => {
		const left = KEPT.reduce((rest, kept) => rest.replace(kept, ''), text);
		return words.flatMap(([pattern, instead]) => {
			const [word] = pattern.exec(left) ?? [];
			return word === undefined ? [] : [`${file}:${line}: “${word}” (better: ${instead})`];
		});
	});

it('comments have none of these words either', () => {
	const files = ['nodes', 'credentials', 'contract'].flatMap((folder) => filesIn(folder, /\.ts$/));
	expect(found(files.flatMap(linesOf).filter(isComment), WORDS_OF_COMMENTS)).toEqual([]);
});

it('what users read has no words that a native speaker stumbles over', () => {
	expect(found(SHOWN, WORDS)).toEqual([]);
});
