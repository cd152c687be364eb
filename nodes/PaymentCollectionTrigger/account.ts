import { createHash } from 'node:crypto';
import { compareTexts } from './textOrder';

const FINGERPRINT_LENGTH = 22;

function fingerprint(parts: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(parts))
		.digest('base64url')
		.slice(0, FINGERPRINT_LENGTH);
}

/** Tells one account from another without holding the key: n8n keeps static data when the credential changes. */
export const accountFingerprint = (account: { baseUrl: string; apiKey: string }): string =>
	fingerprint(['account', account.baseUrl, account.apiKey]);

/** Tells one choice of filters from another; a hash, since a search text may name a person. */
export const filterFingerprint = (filters: Readonly<Record<string, string>>): string =>
	fingerprint(Object.entries(filters).sort(([one], [other]) => compareTexts(one, other)));
