import { readCharge, readId } from '../../shared/charges/charge';
import type { Charge } from '../../shared/charges/charge';
import { latest } from '../../shared/timestamps';
import type { Instant } from '../../shared/timestamps';
import { keyOf } from '../cursor/keySet';

/** What the trigger decides by, of one charge as it was read. */
export interface ChargeRow extends Charge {
	/** Stands for the id in the cursor. */
	readonly key: string;
}

/** Rows of an answer, in its order: undefined for one that can't be read. */
export type Rows = ReadonlyArray<ChargeRow | undefined>;

/** When those that can be read were created. */
export const datesOf = (rows: Rows): Instant[] => rows.flatMap((row) => row?.created ?? []);

/** When something happened to a charge last, as far as it tells. */
export const lastChange = ({
	created,
	refundedAt = created,
	statusSince = created,
}: Charge): Instant => latest(created, refundedAt, statusSince);

/** @returns undefined for a row without an id or a point in time: nobody can tell whether it is new */
export function readChargeRow(record: unknown): ChargeRow | undefined {
	const charge = readCharge(record);
	return charge === undefined ? undefined : { ...charge, key: keyOf(charge.id) };
}

/** Stands for the id of a row that can't be read otherwise; undefined where it has none. */
export function keyOfUnreadable(record: unknown): string | undefined {
	const id = readId(record);
	return id === undefined ? undefined : keyOf(id);
}
