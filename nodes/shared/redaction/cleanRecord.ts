import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/places';
import type { KeyRemover } from './keyRemover';
import { fieldOf, isOrdinary, mayBeRecord, sensitivity } from './sensitiveFields';

/** What the names of a record's fields say of it: of a list, the same for one record after another. */
interface Shape {
	readonly names: readonly string[];
	/** It may stand in a name that the contract does not show. */
	readonly key: KeyRemover;
	/** Whether nothing is to be removed from it for their sake, nor is a field the payment source or the like. */
	readonly isOrdinary: boolean;
	/** Whether the field can't be anything but what its name says, for each of them. */
	readonly isFixed: readonly boolean[];
}

let lastShape: Shape | undefined;

/**
 * Whether a record of an answer is clean for certain: {@link redactRecord} would give it as it is. By far most customers
 * are. It says so only of a flat record with ordinary names, in whose texts nothing but the key could be a secret. Takes
 * a third of the time of a closer look.
 */
export function isClean(record: IDataObject, key: KeyRemover): boolean {
	if (lastShape?.key !== key || !hasShape(record, lastShape)) {
		lastShape = newShape(Object.keys(record), key);
	}
	const { isOrdinary: hasOrdinaryNames, isFixed } = lastShape;
	if (!hasOrdinaryNames) return false;
	let index = 0;
	// Values are looked at where they stand, one by one: to put them together takes as much memory as they do.
	for (const name in record) {
		const value = record[name];
		if (typeof value === 'string') {
			if (key.mayStandIn(value)) return false;
			if (isFixed[index] !== true && mayBeRecord(value)) return false;
		} else if (typeof value === 'number') {
			if (key.mayStandInNumbers) return false;
		} else if (typeof value === 'object' && value !== null) return false;
		index += 1;
	}
	return true;
}

function hasShape(record: IDataObject, { names }: Shape): boolean {
	let index = 0;
	for (const name in record) {
		if (name !== names[index]) return false;
		index += 1;
	}
	return index === names.length;
}

function newShape(names: readonly string[], key: KeyRemover): Shape {
	const fields = names.map((name) => ({ name, known: fieldOf(RECORD, name) }));
	return {
		names,
		key,
		isOrdinary: fields.every(
			({ name, known }) =>
				isOrdinary(known) ||
				(known === undefined &&
					!key.mayStandIn(name) &&
					sensitivity(name, '', known, false) === 'none'),
		),
		isFixed: fields.map(({ known }) => known === 'fixed'),
	};
}
