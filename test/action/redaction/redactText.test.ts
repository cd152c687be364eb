import { REDACTED } from '../../../nodes/shared/redaction/secretTexts';
import { redactText, shownText } from '../../../nodes/shared/redaction/redactText';
import fc, { property } from '../../support/jest/property';
import { ESCAPES } from '../../support/secrets/escapes';
import { PLANTED } from '../../support/secrets/secrets';

const { apiKey, cardNumber, token } = PLANTED;

describe('shownText', () => {
	it.each([
		['blanks', 'Card 4929    4205    7359    5709 declined'],
		['line breaks', 'Card 4929\r\n\r\n4205\r\n\r\n7359\r\n\r\n5709 declined'],
		['zeros', 'Card 4929\0\0\0\x004205\0\0\0\x007359\0\0\0\x005709 declined'],
		['marks of the text direction', 'Card 4929\u202e4205\u200e7359\u20665709 declined'],
		['invisible characters', 'Card 4929\u20604205\u200c7359\u200d5709 declined'],
	])('shows no card number that is divided by %s', (_what, text) => {
		expect(shownText(text, apiKey)).toBe(`Card ${REDACTED} declined`);
	});

	it.each([apiKey, cardNumber, '4929 4205 7359 5709', `token=${token}`])(
		'shows no part of a secret at the end of the searched text: %s',
		(secret) => {
			for (let before = 20_000 - secret.length; before <= 20_000; before++)
				for (const filled of [`x${' '.repeat(before - 1)}`, `token=${'1'.repeat(before - 7)} `]) {
					const shown = shownText(filled + secret + ' or so', apiKey).replace(REDACTED, '');
					expect(shown).not.toMatch(/\d|pk-|[a-z]_/);
				}
		},
	);

	it.each(['', ' ', '\u200b', '\u2060 \u200e\n', '\u{e0041}'])(
		'shows nothing of the invisible text %j',
		(text) => {
			expect(shownText(text, apiKey)).toBe('');
		},
	);
});

describe('redactText', () => {
	it.each([
		[`The key ${apiKey} is wrong`, `The key ${REDACTED} is wrong`],
		[`Card ${cardNumber} declined`, `Card ${REDACTED} declined`],
		[`PAN-${cardNumber}-x`, `PAN-${REDACTED}-x`],
		['Amex 378282246310005', `Amex ${REDACTED}`],
		[`token=${token}&x=1`, `token=${REDACTED}&x=1`],
		['token: This field is required', 'token: This field is required'],
		[`{"token":"${token}","a":1}`, `{"token":"${REDACTED}","a":1}`],
		[`{'token': '${token}', 'a': 1}`, `{'token': '${REDACTED}', 'a': 1}`],
		[`{\\"token\\":\\"${token}\\"}`, `{\\"token\\":\\"${REDACTED}\\"}`],
		[`"card_token" : "${token}"`, `"card_token" : "${REDACTED}"`],
		[`Token ${token} has expired`, `Token ${REDACTED} has expired`],
		['security_code: 917', `security_code: ${REDACTED}`],
		['Security code 917 is wrong', `Security code ${REDACTED} is wrong`],
		['securityCode="917"', `securityCode="${REDACTED}"`],
		[`token=${token}, see ?t=${token}`, `token=${REDACTED}, see ?t=${REDACTED}`],
		['?card=4929+4205+7359+5709&x=1', `?card=${REDACTED}&x=1`],
		['order 12 4929 4205 7359 5709 17', `order 12 ${REDACTED} 17`],
		['Charge 1042: 4929 4205 7359 5709, 12/27', `Charge 1042: ${REDACTED}, 12/27`],
		['Visa ****2042 4929-4205-7359-5709', `Visa ****2042 ${REDACTED}`],
		['4929420573595709 378282246310005', `${REDACTED} ${REDACTED}`],
		['Card 4929_4205·7359 - 5709', `Card ${REDACTED}`],
		['Amex 3782 822463 10005', `Amex ${REDACTED}`],
		['Card 4929&nbsp;4205&nbsp;7359&nbsp;5709', REDACTED],
		['Card \uff14929420573595709', REDACTED],
		[`The token was ${token}`, `The token was ${REDACTED}`],
		['CSC 917, CVN=917, CVV2 917', `CSC ${REDACTED}, CVN=${REDACTED}, CVV2 ${REDACTED}`],
		[
			'<cav2>917</cav2> {\\"cvvCode\\":\\"917\\"}',
			`<cav2>${REDACTED}</cav2> {\\"cvvCode\\":\\"${REDACTED}\\"}`,
		],
		['Card verification value is 9170.', `Card verification value is ${REDACTED}.`],
		['?cvv%3D917', REDACTED],
	])('%s becomes %s', (text, wanted) => {
		expect(redactText(text, apiKey)).toBe(wanted);
	});

	it.each([
		'No charge with id 49294205-7359-4570-9492-942057359570',
		'No charge with id 12345678-1234-4234-8234-123456789012',
		'Reference 4929420573595708 is unknown',
		'Created 2025-01-15T12:00:00.000Z',
		'token for charge 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b is unknown',
		'token expired on 2025-01-15T12:00:00Z',
		'CVC check failed for order number 1042',
		'Unexpected token < in JSON at position 0',
		'amount: 12.50 is more than 10.00',
		'order 00004929420573595709000 has 23 digits',
		'Refund 1234567812345670 accepted',
		'No network has 9999999999999995, 490000000000000001 or 55555555555557',
		'1234567812345670@qq.com and 4929420573595709@qq.com',
		'IBAN AE07 0331 2345 6789 0123 456, DE89370400440532013000, GB29 LOYD 3096 1700 7099 43',
		'Parcel 9405 4929 4205 7359 5709 00, ORD4929420573595709, tel. +4915123456781',
		'Rate 0.4929420573595709',
		'token: not_applicable, token=null, "token": "****9012", security_code: N/A',
		'Visa 492942******5709, CVV check failed for 12.00 EUR, parcel UCVC 4711',
		'between 2025-01-15 and 2025-02-15, 100% of 1%20000%20000.00 &amp; more',
		'',
	])('leaves %j as it is', (text) => {
		expect(redactText(text, apiKey)).toBe(text);
	});

	const WRITERS: typeof ESCAPES = [
		['as it is', (text) => text],
		['in capitals', (text) => text.toUpperCase()],
		...ESCAPES,
	];
	const KEYS = [
		'aB3/xY9kLmNo/PqRsT12',
		'aB3xY+9kLmNoPqR+sT12==',
		'abc&defghijk<lmn>op',
		'sk_live_51H-ab.cd~e',
		'_"quoted\\and/slashed"_',
		'PlainLettersAndDigits42',
	];
	it.each(KEYS.flatMap((key) => WRITERS.map(([name, write]) => [key, name, write] as const)))(
		'replaces the key %s written %s',
		(key, _name, write) => {
			expect(redactText(`it is ${write(key)} here`, key)).toMatch(
				/^(?:it is [^a-z]{0,3}\[redacted\].{0,3} here|\[redacted\])$/,
			);
		},
	);

	it('replaces no text that is too short for a key', () => {
		expect(redactText('a short key', 'key')).toBe('a short key');
		expect(redactText('no key at all', '')).toBe('no key at all');
	});

	const PIECES = '% %E2 %f0%9f \\ u U00 12 x & # ; amp N " 9'.split(' ');
	property(
		'keeps any text whose parts look like escapes',
		[fc.array(fc.constantFrom(...PIECES), { maxLength: 12 })],
		(parts) => {
			expect(redactText(parts.join(''), apiKey)).toBe(parts.join(''));
		},
		{ numRuns: 3_000 },
	);
});
