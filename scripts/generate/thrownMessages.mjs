import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import ts from 'typescript';

import { ROOT } from '../lib/project.mjs';

/** Errors that are shown as they stand, and what they say to do when nothing of their own is given. */
const DEFAULT_ADVICE = new Map([
	['InputError', 'Correct the value. Nothing was sent.'],
	['CredentialError', 'Correct the Payment Collection API credential. Nothing was sent.'],
	['ReportedError', ''],
]);

/**
 * A message that stands in the code where it is thrown.
 *
 * @typedef {object} ThrownMessage
 * @property {string} file
 * @property {string} text with ‹name› for each value
 * @property {string} advice
 * @property {boolean} [isWarning] it goes into the log, or stands beside the result
 */

/**
 * A value's name as a reader understands it: the last word of the expression.
 *
 * @param {ts.Expression} expression
 */
function nameOf(expression) {
	const inner =
		ts.isCallExpression(expression) && expression.arguments[0] !== undefined
			? expression.arguments[0]
			: expression;
	const [name = 'value'] = /[A-Za-z]+$/.exec(inner.getText().replace(/\W+$/, '')) ?? [];
	return `‹${name.replaceAll(/[A-Z_]+/g, (letters) => ` ${letters.toLowerCase()}`).trim()}›`;
}

/**
 * Every text that an expression can be; none for one that is not written in the code.
 *
 * @param {ts.Expression} expression
 * @returns {string[]}
 */
function textsOf(expression) {
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
	if (ts.isConditionalExpression(expression)) {
		return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
	}
	if (!ts.isTemplateExpression(expression)) return [];
	let texts = [expression.head.text];
	for (const { expression: value, literal } of expression.templateSpans) {
		const own = textsOf(value);
		const parts = own.length > 0 ? own : [nameOf(value)];
		texts = texts.flatMap((text) => parts.map((part) => text + part + literal.text));
	}
	return texts;
}

/**
 * The text of a warning: given to a logger, or to whoever shows it beside the rows of a list.
 *
 * @param {ts.Node} node
 * @returns {ts.Expression[]}
 */
function warningsOf(node) {
	if (ts.isPropertyAssignment(node)) {
		const { name, initializer } = node;
		if (name.getText() === 'warning') return [initializer];
		const isList = name.getText() === 'warnings' && ts.isArrayLiteralExpression(initializer);
		return isList ? [...initializer.elements] : [];
	}
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
	const { name } = node.expression;
	return name.text === 'warn' ? node.arguments.slice(0, 1) : [];
}

/**
 * Reads the messages that the sources throw from where they are thrown. Those that are kept as data are not among them:
 * there the error is made of something else than a text.
 *
 * @param {string[]} files paths below the root
 * @returns {Promise<ThrownMessage[]>}
 */
export async function thrownMessages(files) {
	/** @type {ThrownMessage[]} */
	const messages = [];
	for (const file of files) {
		const text = await readFile(join(ROOT, file), 'utf8');
		const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		/** @param {ts.Node} node */
		const visit = (node) => {
			if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
				const [message, advice] = node.arguments ?? [];
				const preset = DEFAULT_ADVICE.get(node.expression.text);
				if (preset !== undefined && message !== undefined) {
					const [own] = advice === undefined ? [] : textsOf(advice);
					for (const one of textsOf(message)) {
						messages.push({ file, text: one, advice: own ?? preset });
					}
				}
			}
			for (const warning of warningsOf(node).flatMap(textsOf)) {
				messages.push({ file, text: warning, advice: '', isWarning: true });
			}
			ts.forEachChild(node, visit);
		};
		visit(source);
	}
	return messages;
}
