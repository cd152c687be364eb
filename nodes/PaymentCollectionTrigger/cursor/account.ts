import { createHash } from 'node:crypto';
import type { ListFilters } from './cursor';

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

/** What is known of the list under the filters that are sent; as a hash, since a search text may name a person. */
export function listFilters(sent: Readonly<Record<string, string>>): ListFilters {
	const { currency, search, ...others } = sent;
	// In whatever order they were set.
	const byName = Object.entries(sent).sort(([one], [other]) => (one < other ? -1 : 1));
	return {
		fingerprint: fingerprint(byName),
		...(currency === undefined ? {} : { currency }),
		isOtherwiseWhole: search === undefined && Object.keys(others).length === 0,
		isCountable: search === undefined,
	};
}
