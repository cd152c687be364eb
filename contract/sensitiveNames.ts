import { RECORD, type Place } from './records.generated';
import type { Meaning } from './schemas/primitives';

/** The place of the card data of a charge: all of it is removed, not only some of its fields. */
export const CARD_DATA = (RECORD.get('source') as Place).get('card_data') as Place;

/** The names of a security code, in fields and in texts: cvv, CVC2, cav2, cvvCode, "card verification value", … */
export const SECURITY_CODE = String.raw`(?<![A-Za-z\d])(?:(?:card[\s_-]?)?(?:security[\s_-]?code|verification[\s_-]?value|(?:cav|cv[cdnvx]|ccv|csc)2?(?:[\s_-]?(?:code|number|value))?)|card[\s_-]?(?:verification[\s_-]?(?:code|number)|cid))`;

/** The meaning of an undocumented field, by its name=value. A customer's ID can be called cid as well. */
export const BY_NAME: ReadonlyArray<readonly [field: RegExp, Meaning | Place]> = [
	[/^card_?data=/i, CARD_DATA],
	[/^(?:card_?number|(?:(?:card|payment)_?)?token)=/i, 'secret'],
	[new RegExp(String.raw`^(?:\w*_)?(?:(?:${SECURITY_CODE}|cid_?code)=|cid=\d{3,4}$)`, 'i'), 'code'],
	[/^(?:\w*_)?(?:id|reference)=|^\w*[a-z]Id=/, 'number'],
];
