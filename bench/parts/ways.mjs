/** The ways to read a list that are compared, by the names that report/goals.ts knows. */

const WHOLE_RECORDS = { parameters: { simplify: false } };

const raw = (/** @type {number} */ concurrency) => ({ way: 'raw', concurrency });
const ours = (/** @type {number} */ concurrency) => ({
	way: 'ours',
	concurrency,
	...WHOLE_RECORDS,
});

export const BASELINE = 'raw axios, 8';

/** Reading at eight requests at a time, ours with its default settings last. */
/** @type {Record<string, object>} */
export const CONCURRENT = {
	[BASELINE]: raw(8),
	'plain function, 8': { way: 'plain' },
	'Payment Collection, 8': ours(8),
	'Payment Collection, 8, Simplify': { way: 'ours' },
};

export const OTHER_WIDTHS = {
	'raw axios, 1': raw(1),
	'Payment Collection, 1': ours(1),
	'raw axios, 16': raw(16),
	'Payment Collection, 16': ours(16),
};

/** Reading one page after the other, as n8n does it without code. */
/** @type {Record<string, object>} */
export const ONE_BY_ONE = {
	'HTTP Request + Split Out': { way: 'httpRequest' },
	'declarative pagination': { way: 'declarative' },
};

/** Of charges, by what leaves the node. */
export const OUTPUTS = {
	'Payment Collection, 8, Simplify, sensitive data included': {
		way: 'ours',
		options: { includeSensitiveData: true },
	},
	'Payment Collection, 8, sensitive data included': {
		way: 'ours',
		...WHOLE_RECORDS,
		options: { includeSensitiveData: true },
	},
};
