import { QUANTITIES, baselineOf, valuesOf } from './measured';
import type { Comparison, Measured, Quantity, Results } from './measured';
import { median, ratio } from './statistics';
import { amount, markdown } from './table';

const ALL = Object.keys(QUANTITIES) as Quantity[];

/** What became of one quantity of one variant between two runs of the bench. */
export interface Change {
	readonly work: string;
	readonly variant: string;
	readonly quantity: Quantity;
	readonly before: number;
	readonly now: number;
	/** Ratios to the baseline of the same run, which say more than times of two different hours; absent for the baseline itself. */
	readonly ratios?: { readonly before: number; readonly now: number };
}

function ratioIn(
	comparison: Comparison,
	measured: Measured,
	quantity: Quantity,
): number | undefined {
	const base = baselineOf(comparison);
	if (base === measured) return undefined;
	const [values, baseValues] = [valuesOf(measured, quantity), valuesOf(base, quantity)];
	return values && baseValues ? ratio(values, baseValues) : undefined;
}

/** What both runs measured. */
export function changesBetween(before: Results, now: Results): Change[] {
	return now.comparisons.flatMap((comparison) => {
		const earlier = before.comparisons.find(({ name }) => name === comparison.name);
		return comparison.measured.flatMap((measured) => {
			const old = earlier?.measured.find(({ variant }) => variant === measured.variant);
			if (!earlier || !old) return [];
			return ALL.flatMap((quantity) => {
				const [values, oldValues] = [valuesOf(measured, quantity), valuesOf(old, quantity)];
				if (!values || !oldValues) return [];
				const ratios = [ratioIn(earlier, old, quantity), ratioIn(comparison, measured, quantity)];
				const [ratioBefore, ratioNow] = ratios;
				return {
					work: comparison.name,
					variant: measured.variant,
					quantity,
					before: median(oldValues),
					now: median(values),
					...(ratioBefore !== undefined &&
						ratioNow !== undefined && { ratios: { before: ratioBefore, now: ratioNow } }),
				};
			});
		});
	});
}

const change = (before: number, now: number): string => {
	const percent = (now / before - 1) * 100;
	return Number.isFinite(percent)
		? `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(0)} %`
		: '';
};

export function toChangeTable(changes: readonly Change[]): string {
	const rows = changes.map(({ work, variant, quantity, before, now, ratios }) => [
		work,
		variant,
		QUANTITIES[quantity].head,
		amount(before, quantity),
		amount(now, quantity),
		change(before, now),
		ratios?.before.toFixed(2) ?? '',
		ratios?.now.toFixed(2) ?? '',
		ratios ? change(ratios.before, ratios.now) : '',
	]);
	const heads = ['Before', 'Now', 'Change'];
	return markdown(
		['Work', 'Variant', 'Quantity', ...heads, 'Ratio before', 'Ratio now', 'Change'],
		rows,
	);
}
