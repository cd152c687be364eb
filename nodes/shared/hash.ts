import { createHash } from 'node:crypto';

/** Stands for a value that must not be kept itself: SHA-256 of its JSON, as 43 characters of base64url. */
export const hashOf = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');
