import { valuesOf } from './measured';
import type { Comparison, Quantity, Results } from './measured';
import { median, ratio } from './statistics';
import { amount, markdown } from './table';

/** The columns of the short table, by the variants that stand in them; the first one is what the others are compared with. */
const COLUMNS: ReadonlyArray<readonly [head: string, ...variants: string[]]> = [
	['Payment Collection', 'Payment Collection, 8, Simplify', 'Payment Collection'],
	['axios, without n8n', 'raw axios, 8'],
	['Plain pagination function', 'plain function, 8'],
	['HTTP Request', 'HTTP Request + Split Out', 'HTTP Request'],
];

const ROWS: ReadonlyArray<readonly [work: string, quantity: Quantity]> = [
	['10,000 contacts, 0 ms', 'wallMs'],
	['10,000 contacts, 20 ms', 'wallMs'],
	['10,000 contacts, 20 ms, TLS', 'wallMs'],
	['10,000 contacts, 20 ms, in n8n', 'wallMs'],
	['10,000 contacts, 100 ms', 'wallMs'],
	['10,000 contacts, 100 ms, in n8n', 'wallMs'],
	['100,000 contacts, 0 ms', 'wallMs'],
	['10,000 charges, 0 ms', 'wallMs'],
	['Get 400 links, 20 ms', 'wallMs'],
	['Memory of 100,000 contacts', 'peakMb'],
];

const valuesIn = (
	comparison: Comparison | undefined,
	variants: readonly string[],
	quantity: Quantity,
): readonly number[] | undefined =>
	valuesOf(
		comparison?.measured.find(({ variant }) => variants.includes(variant)),
		quantity,
	);

/**
 * What is worth a place in the documents: what the node takes, and how many times as much others take.
 *
 * @throws {Error} when the results lack a row
 */
export const toSummary = (results: Results): string => summary(results, ROWS, COLUMNS);

/** For the README: whole executions in a real n8n, beside what it offers by itself. */
export const toShortSummary = (results: Results): string =>
	summary(
		results,
		ROWS.filter(([work]) => work.endsWith('in n8n')),
		COLUMNS.filter(([head]) => head === 'Payment Collection' || head === 'HTTP Request'),
	);

function summary(
	{ comparisons, machine, rounds }: Results,
	works: typeof ROWS,
	heads: typeof COLUMNS,
): string {
	const rows = works.map(([work, quantity]) => {
		const comparison = comparisons.find(({ name }) => name === work);
		const columns = heads.map(([, ...variants]) => valuesIn(comparison, variants, quantity));
		const [ours, ...others] = columns;
		if (ours === undefined) throw new Error(`“${work}” was not measured`);
		return [
			work,
			amount(Math.round(median(ours)), quantity),
			...others.map((values) => (values ? `${ratio(values, ours).toFixed(1)} ×` : '')),
		];
	});
	const { n8n = '', cores = '', memoryGb = '' } = machine;
	return [
		markdown(['Work', ...heads.map(([head]) => head)], rows),
		`n8n ${n8n}, ${cores} cores, ${memoryGb} GB; medians of ${rounds} rounds or more.`,
	].join('\n\n');
}
