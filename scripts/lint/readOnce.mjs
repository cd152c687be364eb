/**
 * Lint rules for text that is understood at the first reading: a comment begins with its subject or a verb, and no line has a vague word.
 *
 * A comment may also begin with a condition ("If", "Without"), a time ("When", "After"), a reason ("Since") or "How".
 */

const INVERTED =
	/^(Of|What|Whatever|Whether|Who|Whose|Whom|Where|Which|Not|Nor|In|By|With|Like|That|Such|For|From|At|On|To|Under|So|Its|Their|None)\b/;
const VAGUE = /\b(un)?tol[d]\b|\bwhoeve[r]\b/i; // The brackets keep this line from matching itself.

/** @type {import('eslint').Rule.RuleModule} */
const subjectFirst = {
	create({ sourceCode, report }) {
		const comments = sourceCode.getAllComments();
		// A line comment directly below another one continues its sentence.
		const isContinued = (/** @type {number} */ index) => {
			const [before, comment] = [comments[index - 1], comments[index]];
			return (
				before?.type === 'Line' &&
				before.loc?.start.line === (comment?.loc?.start.line ?? 0) - 1 &&
				before.loc?.start.column === comment?.loc?.start.column
			);
		};
		return {
			Program() {
				comments.forEach((comment, index) => {
					// Each paragraph has a first sentence.
					const paragraphs = comment.value
						.split(/\n[\s*]*\n/)
						.map((text) => text.replace(/^[\s*]+/, ''));
					const [word] = paragraphs.flatMap((text) => INVERTED.exec(text) ?? []);
					if (word === undefined || isContinued(index) || !comment.loc) return;
					report({
						loc: comment.loc,
						message: `A comment begins with its subject or a verb, not with "${word}".`,
					});
				});
			},
		};
	},
};

/** @type {import('eslint').Rule.RuleModule} */
const clearWords = {
	create({ sourceCode, report }) {
		return {
			Program() {
				sourceCode.lines.forEach((text, index) => {
					const match = VAGUE.exec(text);
					if (match === null) return;
					report({
						loc: { line: index + 1, column: match.index },
						message: `"${match[0]}" has a clearer word: emitted, returned, shown, anyone who.`,
					});
				});
			},
		};
	},
};

export default { rules: { 'subject-first': subjectFirst, 'fields-words': clearWords } };
