/**
 * The chosen value of a resource locator; any other value as it is. n8n's own way (`extractValue`) throws for a
 * parameter that is not there, and does not reach into collections.
 */
export function locatorValue(value: unknown): unknown {
	const isLocator =
		typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
	return isLocator ? value.value : value;
}
