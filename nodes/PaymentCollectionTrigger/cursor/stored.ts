import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/isRecord';
import type { Instant } from '../../shared/timestamps';
import type { Cursor } from './cursor';

/** Raised whenever the meaning of a field changes, but for those of {@link KnownAccount}. */
const VERSION = 10;

/**
 * What is known of an account that the trigger has run for. Every version of the package reads what any other has written
 * of it, so that an update loses no charge: its fields, and how they are stored, must never change.
 */
export interface KnownAccount {
	readonly account: string;
	/** Where no cursor of it can be read: what was created up to then is not told, under these filters, */
	readonly seenUpTo: Instant;
	readonly filters?: string;
	/** and up to then under others. Absent where it is the same. */
	readonly polledAt?: Instant;
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
	/** The trigger has run for these accounts, so their past is not told again: the cursor's own first. */
	readonly accounts: readonly KnownAccount[];
	readonly cursor: Cursor;
}

/** As n8n's static data hold it: text, which n8n's observing proxies leave alone, with what shows it undamaged. */
export function toStored({ serial, accounts: known, cursor }: StoredCursor): IDataObject {
	const [accounts, text] = [JSON.stringify(known), JSON.stringify(cursor)];
	const accountsChecksum = checksumOf(accounts);
	const checksum = checksumOf(`${VERSION} ${serial} ${accountsChecksum} ${text}`);
	return { version: VERSION, serial, checksum, text, accountsChecksum, accounts };
}

/** @returns undefined for anything but what {@link toStored} of this version has written */
export function readStored(stored: unknown): StoredCursor | undefined {
	const { version, serial, checksum, text, accountsChecksum } = fieldsOf(stored);
	const accounts = readAccounts(stored);
	if (version !== VERSION || typeof serial !== 'number' || typeof text !== 'string') {
		return undefined;
	}
	if (accounts === undefined) return undefined;
	if (checksum !== checksumOf(`${VERSION} ${serial} ${String(accountsChecksum)} ${text}`))
		return undefined;
	// The checksum shows that this is what was written, so it has the fields that were written.
	return { serial, accounts, cursor: JSON.parse(text) as Cursor };
}

/** @returns the accounts of a state of any version; undefined where there are none, or they are damaged */
export function readAccounts(stored: unknown): KnownAccount[] | undefined {
	const { accounts, accountsChecksum } = fieldsOf(stored);
	const isWhole = typeof accounts === 'string' && accountsChecksum === checksumOf(accounts);
	return isWhole ? (JSON.parse(accounts) as KnownAccount[]) : undefined;
}

const fieldsOf = (stored: unknown): Record<string, unknown> => (isRecord(stored) ? stored : {});

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
