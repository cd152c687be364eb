import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/isRecord';
import { parseInstant } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import type { TriggerState } from './state';

/** Raised whenever the meaning of a field of {@link TriggerState} changes. */
const VERSION = 13;

/** A state and its place among all that this trigger has stored. */
export interface StoredState {
	/**
	 * Of two states of one trigger the one with the greater serial is the newer one: it rises with every poll, and is no
	 * less than the milliseconds of the host's clock, since the state before may have been lost.
	 */
	readonly serial: number;
	readonly state: TriggerState;
}

/**
 * As n8n's static data hold it: text, which n8n's observing proxies leave alone, with what shows it undamaged. Every
 * version of the package reads `polledAt` of any other.
 */
export function toStored({ serial, state }: StoredState): IDataObject {
	const text = JSON.stringify(state);
	const { polledAt } = state;
	return { version: VERSION, serial, polledAt, checksum: checksumOf(serial, text), text };
}

/** @returns undefined for anything but what {@link toStored} of this version has written */
export function readStored(stored: unknown): StoredState | undefined {
	const { version, serial, checksum, text } = fieldsOf(stored);
	if (version !== VERSION || typeof serial !== 'number' || typeof text !== 'string') {
		return undefined;
	}
	if (checksum !== checksumOf(serial, text) || readPolledAt(stored) === undefined) return undefined;
	// The checksum shows that this is what was written, so it has the fields that were written.
	return { serial, state: JSON.parse(text) as TriggerState };
}

/** When the last poll began, by a state that can't be read otherwise, if it says so undamaged. */
export function readPolledAt(stored: unknown): Instant | undefined {
	const { polledAt, text } = fieldsOf(stored);
	const [, inText] = /"polledAt":"([^"]*)"/.exec(String(text)) ?? [];
	// Version 10 and those before wrote it into the text alone.
	return polledAt === undefined || polledAt === inText ? parseInstant(inText) : undefined;
}

const fieldsOf = (stored: unknown): Record<string, unknown> => (isRecord(stored) ? stored : {});

const checksumOf = (serial: number, text: string): string =>
	createHash('sha256').update(`${VERSION} ${serial} ${text}`).digest('base64url');
