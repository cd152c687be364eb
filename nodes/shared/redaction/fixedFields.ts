import type { IDataObject } from 'n8n-workflow';
import { RECORD } from '../../../contract/places';
import { plainText } from '../plainText';
import { keyRemover } from './keyRemover';
import { mayHoldSecret } from './secretTexts';
import { fieldOf, type Known } from './sensitiveFields';

const UNSEARCHED =
	'At least one record is nested so deep that it can’t be searched for card data: of such records only identifiers, amounts, dates, statuses and the like are given';

/** Of a record that can't be searched, what can't hold a secret: identifiers, amounts, dates, statuses and the like. */
export function fixedFields(record: IDataObject, apiKey: string): IDataObject {
	const withoutKey = keyRemover(apiKey);
	const kept: IDataObject = {};
	for (const [name, value] of Object.entries(record)) {
		if (typeof value === 'object' && value !== null) continue;
		if (holdsNoSecret(fieldOf(RECORD, name), plainText(value))) {
			kept[name] = typeof value === 'string' ? withoutKey(value) : value;
		}
	}
	return kept;
}

const holdsNoSecret = (known: Known, text: string): boolean =>
	known === 'fixed' || (known === 'word' && !mayHoldSecret(text));

/** Says once that records could not be searched, however many they are. */
export function unsearchedWarning(warn: (message: string) => void): () => void {
	let isSaid = false;
	return () => {
		if (!isSaid) warn(UNSEARCHED);
		isSaid = true;
	};
}
