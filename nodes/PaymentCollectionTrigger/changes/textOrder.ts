/** For sorting by text: negative when `one` comes before `other`, 0 when they are the same. */
export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
