import type { ListFilters } from './cursor';
import { hashOf } from './keySet';

const FINGERPRINT_LENGTH = 22;

/** Tells one account from another without holding the key: n8n keeps static data when the credential changes. */
export const accountFingerprint = (account: { baseUrl: string; apiKey: string }): string =>
	hashOf(['account', account.baseUrl, account.apiKey], FINGERPRINT_LENGTH);

/** What is known of the list under the filters that are sent; as a hash, since a search text may name a person. */
export function listFilters(sent: Readonly<Record<string, string>>): ListFilters {
	const { currency, search, ...others } = sent;
	// In whatever order they were set.
	const byName = Object.entries(sent).sort(([one], [other]) => (one < other ? -1 : 1));
	return {
		fingerprint: hashOf(byName, FINGERPRINT_LENGTH),
		...(currency === undefined ? {} : { currency }),
		isOtherwiseWhole: search === undefined && Object.keys(others).length === 0,
		isCountable: search === undefined,
	};
}
