import type { Link } from '../../contract/schemas/link';
import type { StoredLink } from '../data/links';
import { invalid } from '../behaviour/errors';
import type { Switches } from '../behaviour/switches';

const MINUTE_MS = 60_000;

/** 11:59 PM of the expiry day in the switched time zone (POST /v1/links, rules; the zone is not documented). */
function expiryInstant(day: string, offsetMinutes: number): number {
	return Date.parse(`${day}T23:59:00Z`) - offsetMinutes * MINUTE_MS;
}

/** docs/service.md, Links: a link expires once its payments are used up or its day is over. */
function hasExpired({ link, payments }: StoredLink, nowMs: number, switches: Switches): boolean {
	const usedUp = link.payment_expiry_limit !== null && payments >= link.payment_expiry_limit;
	const dayOver =
		link.expiry_date !== null &&
		nowMs >= expiryInstant(link.expiry_date, switches.expiryUtcOffsetMinutes);
	return usedUp || dayOver;
}

/** The record as answered: an expired link shows the switched status, whatever was set by hand. */
export function presentLink(stored: StoredLink, nowMs: number, switches: Switches): Link {
	if (!hasExpired(stored, nowMs, switches)) return stored.link;
	return { ...stored.link, status: switches.expiredLinkStatus };
}

/** POST /v1/links: expiry_date must be "a future date", taken as a day after the current one in the switched zone. */
export function checkExpiryDate(day: string | undefined, nowMs: number, switches: Switches): void {
	if (day === undefined) return;
	const today = new Date(nowMs + switches.expiryUtcOffsetMinutes * MINUTE_MS)
		.toISOString()
		.slice(0, 10);
	if (day <= today) throw invalid(`expiry_date: must be after ${today}`);
}
