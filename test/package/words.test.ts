import { filesIn, read } from './project';

/** Words that are not American English or not n8n's, and their replacements. */
const WORDS: ReadonlyArray<[RegExp, instead: string]> = [
	[/\b(tol[d]|tells?)\b/i, 'emit, return, say'],
	[/\ball the same\b/i, 'still, even so'],
	[/\b(came|comes|become|became) of (it|that|them)\b/i, 'result'],
	[/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one'],
	[/\bwhoeve[r]\b/i, 'anyone who'],
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
	[/^\s*(\/?\*|\/\/).*\b((an?|each|every|earlier|last) try|tries)\b/i, 'attempt, in a comment'],
];

/** Texts of the credential's test. */
const KEPT = ['tell n8n so with NODE_EXTRA_CA_CERTS', 'Enter the address of the service'];

const linesOf = (file: string) =>
	read(file)
		.split('\n')
		.map((text, index) => ({ place: `${file}:${index + 1}`, text }));

const FILES = [
	...['nodes', 'credentials', 'contract'].flatMap((folder) => filesIn(folder, /\.ts$/)),
	...['README.md', '.github/SECURITY.md', 'examples/README.md', ...filesIn('docs', /\.md$/)],
];
// The rest of an example workflow is code and data.
const NOTES = filesIn('examples', /\.json$/)
	.flatMap(linesOf)
	.filter(({ text }) => /^\s*"(content|formDescription)":/.test(text));

it('code, documents and examples have none of these words', () => {
	const found = [...FILES.flatMap(linesOf), ...NOTES].flatMap(({ place, text }) => {
		const left = KEPT.reduce((rest, kept) => rest.replace(kept, ''), text);
		return WORDS.flatMap(([pattern, instead]) => {
			const [word] = pattern.exec(left) ?? [];
			return word === undefined ? [] : [`${place}: “${word}” (better: ${instead})`];
		});
	});
	expect(found).toEqual([]);
});
