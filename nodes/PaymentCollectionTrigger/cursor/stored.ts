import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Instant } from '../../shared/timestamps';
import type { Cursor } from './cursor';

/** Raised whenever the meaning of a field changes. */
const VERSION = 9;

/** What is left of an account that the trigger has run for. */
export interface FormerAccount {
	readonly account: string;
	/** What was listed and created up to then is not told any more. */
	readonly seenUpTo: Instant;
	/** When its window began. */
	readonly windowStart: Instant;
}

/** A cursor and its place among all that this trigger has stored. */
export interface StoredCursor {
	/**
	 * Of two states of one trigger and account the one with the greater serial is the newer one: it rises with every poll,
	 * and is no less than the milliseconds of the host's clock, since the state before may have been lost.
	 */
	readonly serial: number;
	/** The trigger has run for these accounts before, so their past is not told again. */
	readonly formerAccounts: readonly FormerAccount[];
	readonly cursor: Cursor;
}

/** As n8n's static data hold it: text, which n8n's observing proxies leave alone, with what shows it undamaged. */
export function toStored({ serial, ...content }: StoredCursor): IDataObject {
	const text = JSON.stringify(content);
	return { version: VERSION, serial, checksum: checksumOf(serial, text), text };
}

/** @returns undefined for anything but what {@link toStored} of this version has written */
export function readStored(stored: unknown): StoredCursor | undefined {
	if (typeof stored !== 'object' || stored === null) return undefined;
	const { version, serial, checksum, text } = stored as Record<string, unknown>;
	if (version !== VERSION || typeof serial !== 'number' || typeof text !== 'string') {
		return undefined;
	}
	if (checksum !== checksumOf(serial, text)) return undefined;
	// The checksum shows that this is what was written, so it has the fields that were written.
	return { serial, ...(JSON.parse(text) as Omit<StoredCursor, 'serial'>) };
}

const checksumOf = (serial: number, text: string): string =>
	createHash('sha256').update(`${VERSION} ${serial} ${text}`).digest('base64url');
