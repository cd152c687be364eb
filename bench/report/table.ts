import { QUANTITIES, baselineOf, valuesOf } from './measured';
import type { Comparison, Measured, Quantity } from './measured';
import { median, ratio, spread } from './statistics';

const ALL = Object.keys(QUANTITIES) as Quantity[];

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const markdown = (heads: readonly string[], rows: readonly string[][]): string =>
	[heads, heads.map(() => '---'), ...rows].map(row).join('\n');

export function amount(value: number, quantity: Quantity): string {
	const digits = Number.isInteger(value) || value >= 100 ? 0 : value < 10 ? 2 : 1;
	return `${value.toFixed(digits)} ${QUANTITIES[quantity].unit}`.trim();
}

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`;

/** The quantities that at least one run has. */
function quantitiesOf(comparison: Comparison): Quantity[] {
	return ALL.filter((quantity) =>
		comparison.measured.some((measured) => valuesOf(measured, quantity) !== undefined),
	);
}

function cellsOf(measured: Measured, base: Measured | undefined, quantity: Quantity): string[] {
	const values = valuesOf(measured, quantity);
	if (values === undefined) return ['', ''];
	const baseValues = valuesOf(base, quantity);
	const range = values.length > 1 ? ` ± ${percent(spread(values) / 2)}` : '';
	return [
		`${amount(median(values), quantity)}${range}`,
		baseValues ? ratio(values, baseValues).toFixed(2) : '',
	];
}

/**
 * The comparisons as Markdown: for each quantity the median with half of what lies between least and most, and the ratio
 * to the baseline. Those of the same quantities stand in one table.
 */
export function toTable(comparisons: readonly Comparison[]): string {
	const groups = new Map<string, Comparison[]>();
	for (const comparison of comparisons) {
		const key = quantitiesOf(comparison).join();
		groups.set(key, [...(groups.get(key) ?? []), comparison]);
	}
	return [...groups.values()].map(oneTable).join('\n\n');
}

function oneTable(comparisons: readonly Comparison[]): string {
	const quantities = comparisons[0] === undefined ? [] : quantitiesOf(comparisons[0]);
	const heads = quantities.flatMap((quantity) => [QUANTITIES[quantity].head, 'Ratio']);
	const rows = comparisons.flatMap((comparison) => {
		const base = baselineOf(comparison);
		return comparison.measured.map((measured) => [
			comparison.name,
			measured.variant,
			...quantities.flatMap((quantity) => cellsOf(measured, base, quantity)),
		]);
	});
	return markdown(['Work', 'Variant', ...heads], rows);
}
