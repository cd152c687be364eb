import type { Link } from '../contract/schemas/link';
import type { StoredLink } from './data/links';
import { iso, MINUTE_MS } from './data/world';
import { invalid } from './errors';
import type { Switches } from './switches';

/**
 * docs/service.md, Links: a link expires once its payments are used up, or at 11:59 PM of its day in the switched time
 * zone. An expired link shows the switched status, whatever was set by hand.
 */
export function presentLink(
	{ link, payments }: StoredLink,
	nowMs: number,
	{ expiryUtcOffsetMinutes, expiredLinkStatus }: Switches,
): Link {
	const { payment_expiry_limit: limit, expiry_date: day } = link;
	const endMs = Date.parse(`${day}T23:59:00Z`) - expiryUtcOffsetMinutes * MINUTE_MS;
	const isExpired = (limit !== null && payments >= limit) || (day !== null && nowMs >= endMs);
	return isExpired ? { ...link, status: expiredLinkStatus } : link;
}

/** POST /v1/links: expiry_date must be "a future date", taken as a day after the current one in the switched zone. */
export function checkExpiryDate(day: string | undefined, nowMs: number, switches: Switches): void {
	if (day === undefined) return;
	const today = iso(nowMs + switches.expiryUtcOffsetMinutes * MINUTE_MS).slice(0, 10);
	if (day <= today) throw invalid(`expiry_date: must be after ${today}`);
}
