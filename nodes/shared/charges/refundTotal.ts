/** 5 and 5.00 are the same money. Text, since a number would not tell large amounts apart. */
export const withoutSpareZeros = (decimal: string): string =>
	decimal.includes('.') ? decimal.replace(/\.?0*$/, '') : decimal;
