import type { Comparison, Measured, Sample } from './measured';
import { median, ratio, spread } from './statistics';

const of = ({ samples }: Measured, value: (sample: Sample) => number): number[] =>
	samples.map(value);

const wall = ({ wallMs }: Sample): number => wallMs;
const node = ({ nodeMs, wallMs }: Sample): number => nodeMs ?? wallMs;
const cpu = ({ cpuMs }: Sample): number => cpuMs;

const HEADS = ['Work', 'Variant', 'Median', 'Spread', 'Ratio', 'Node alone', 'Ratio', 'CPU'];

const cells = (cellsOfRow: readonly string[]): string => `| ${cellsOfRow.join(' | ')} |`;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const times = (value: number): string => value.toFixed(2);

/** The comparisons as a Markdown table, with times and their ratios to the baseline's. */
export function toTable(comparisons: readonly Comparison[]): string {
	const rows = comparisons.flatMap(({ name, baseline, measured }) => {
		const base = measured.find(({ variant }) => variant === baseline);
		return measured.map((variant) => [
			name,
			variant.variant,
			ms(median(of(variant, wall))),
			`${(spread(of(variant, wall)) * 100).toFixed(0)} %`,
			base ? times(ratio(of(variant, wall), of(base, wall))) : '',
			ms(median(of(variant, node))),
			base ? times(ratio(of(variant, node), of(base, node))) : '',
			ms(median(of(variant, cpu))),
		]);
	});
	return [HEADS, HEADS.map(() => '---'), ...rows].map(cells).join('\n');
}
