/** A field's text or number as text; anything else, which the document does not show, as nothing. */
export function plainText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
