import { RECORD, type Place } from '../../contract/records.generated';
import type { Meaning } from '../../contract/schemas/primitives';

/** Every field of a record with its meaning, such as `source.card_data.card_number`. */
function fieldsOf(place: Place, path = ''): Array<[string, Meaning]> {
	return [...place].flatMap(([name, inner]) =>
		typeof inner === 'string'
			? [[`${path}${name}`, inner] as [string, Meaning]]
			: fieldsOf(inner, `${path}${name}.`),
	);
}

const FIELDS = fieldsOf(RECORD);

const having = (wanted: Meaning) =>
	FIELDS.filter(([, meaning]) => meaning === wanted).map(([path]) => path);

it('the secret fields of a record are those of the API documentation', () => {
	expect(having('secret')).toEqual(['source.token', 'source.card_data.card_number']);
	expect(having('code')).toEqual(['source.card_data.security_code']);
});

it('money, dates and identifiers are not searched as free texts', () => {
	const isFixed = /(?:^|\.)(?:id|.*_id|.*amount|total|.*_total|created.*|status|currency)$/;
	const fixed = FIELDS.filter(([path]) => isFixed.test(path));
	expect(fixed.length).toBeGreaterThan(20);
	expect(fixed.filter(([, meaning]) => meaning !== 'fixed')).toEqual([]);
});
