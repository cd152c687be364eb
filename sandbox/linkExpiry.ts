import type { Link } from '../contract/schemas/link';
import type { StoredLink } from './data/links';
import { iso, MINUTE_MS } from './data/world';
import { invalid } from './errors';
import type { Switches } from './switches';

/**
 * docs/service.md, Links: a link expires once its payments are used up, or at 11:59 PM of its day in the switched time
 * zone. Answers which of them it was.
 */
export function expiryOf(
	{ link, payments }: StoredLink,
	nowMs: number,
	{ expiryUtcOffsetMinutes }: Switches,
): 'payments' | 'day' | undefined {
	const { payment_expiry_limit: limit, expiry_date: day } = link;
	const endMs = Date.parse(`${day}T23:59:00Z`) - expiryUtcOffsetMinutes * MINUTE_MS;
	if (limit !== null && payments >= limit) return 'payments';
	return day !== null && nowMs >= endMs ? 'day' : undefined;
}

/** An expired link shows the switched status, whatever was set by hand. */
export function presentLink(stored: StoredLink, nowMs: number, switches: Switches): Link {
	const { link } = stored;
	return expiryOf(stored, nowMs, switches) ? { ...link, status: switches.expiredLinkStatus } : link;
}

/** POST /v1/links: expiry_date must be "a future date", taken as a day after the current one in the switched zone. */
export function checkExpiryDate(day: string | undefined, nowMs: number, switches: Switches): void {
	if (day === undefined) return;
	const today = iso(nowMs + switches.expiryUtcOffsetMinutes * MINUTE_MS).slice(0, 10);
	if (day <= today) throw invalid(`expiry_date: must be after ${today}`);
}
