import type { IDataObject } from 'n8n-workflow';
import { digitsOf } from '../../../nodes/shared/redaction/digits';
import { redactRecord } from '../../../nodes/shared/redaction/redactRecord';
import { REDACTED, redactText } from '../../../nodes/shared/redaction/redactText';
import { findSecrets } from '../../support/secrets/secrets';
import fc from '../../support/jest/property';
import { PLANTED } from '../../support/secrets/secrets';

const { apiKey, cardNumber, securityCode, token } = PLANTED;

const cardData = {
	card_number: cardNumber,
	expiry_month: '12',
	expiry_year: '2031',
	security_code: securityCode,
	card_holder_name: 'Ada Holder',
};

const source = { type: 'card', token, last4: '5709', bin: '492942', card_data: cardData };

const redacted = (record: IDataObject, includeSensitiveData = false): IDataObject =>
	redactRecord(record, { apiKey, includeSensitiveData });

describe('redactRecord', () => {
	it('removes card data and tokens of a charge, and nothing else', () => {
		expect(redacted({ id: '1', total: '12.50', source })).toEqual({
			id: '1',
			total: '12.50',
			source: { type: 'card', last4: '5709', bin: '492942' },
		});
	});

	it('gives a record without secrets as it is, and changes none that has some', () => {
		const plain = { id: '1', note: 'Two seats', items: [{ name: 'Seat 4' }] };
		expect(redacted(plain)).toBe(plain);
		const record = { id: '1', note: `paid by ${cardNumber}`, source };
		const before = structuredClone(record);
		expect(redacted(record)).not.toBe(record);
		expect(record).toEqual(before);
	});

	it('keeps what stands last where two names become the same', () => {
		const record = { [apiKey]: cardNumber, [cardNumber]: { toString: 'a text' }, source };
		expect(redacted(record)).toEqual({
			[REDACTED]: { toString: 'a text' },
			source: { type: 'card', last4: '5709', bin: '492942' },
		});
	});

	it('knows that no Latin letter is a digit', () => {
		const letters = Array.from({ length: 0x250 - 0xc0 }, (_, index) =>
			String.fromCharCode(0xc0 + index),
		);
		expect(digitsOf({ text: letters.join('') }).text).toBe('');
	});

	it('leaves them where the user asks for them, but never the security code', () => {
		const rest: Partial<typeof cardData> = { ...cardData };
		delete rest.security_code;
		expect(redacted({ source }, true)).toEqual({ source: { ...source, card_data: rest } });
	});

	it.each(['security_code', 'securityCode', 'SECURITY_CODE', 'cvv', 'CVC', 'cvv2'])(
		'never lets a field named %s through',
		(name) => {
			expect(redacted({ a: [{ [name]: '917' }] }, true)).toEqual({ a: [{}] });
		},
	);

	it.each(['token', 'Token', 'card_data', 'cardData', 'card_number', 'cardNumber'])(
		'removes a field named %s wherever it is',
		(name) => {
			expect(redacted({ customer: { deep: [[{ [name]: 'x', kept: 1 }]] } })).toEqual({
				customer: { deep: [[{ kept: 1 }]] },
			});
		},
	);

	it('replaces the key wherever it stands, names and addresses included', () => {
		const key = 'key with/odd+signs';
		const result = redactRecord(
			{ note: `was ${key}`, url: `https://x/?k=${encodeURIComponent(key)}`, list: [key], [key]: 1 },
			{ apiKey: ` ${key} ` },
		);
		expect(result).toEqual({
			note: `was ${REDACTED}`,
			url: `https://x/?k=${REDACTED}`,
			list: [REDACTED],
			[REDACTED]: 1,
		});
	});

	it('replaces a token or card number that another field repeats', () => {
		const result = redacted({
			source,
			events: { message: `Token ${token} of ${cardNumber} authorised` },
			success_url: `https://shop.example.com/?t=${encodeURIComponent(token)}`,
		});
		expect(result).toEqual({
			source: { type: 'card', last4: '5709', bin: '492942' },
			events: { message: `Token ${REDACTED} of ${REDACTED} authorised` },
			success_url: `https://shop.example.com/?t=${REDACTED}`,
		});
	});

	it.each<[string, (text: string) => string]>([
		['an address', encodeURIComponent],
		['an address in an address', (text) => encodeURIComponent(encodeURIComponent(text))],
		['JSON in JSON', (text) => JSON.stringify(JSON.stringify({ text })).replaceAll('/', '\\/')],
		['a web page', (text) => text.replace(/[^a-z]/gi, (sign) => `&#${sign.charCodeAt(0)};`)],
		[
			'a program',
			(text) => text.replace(/[^a-z]/gi, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`),
		],
	])('finds a token as it stands in %s', (_what, spell) => {
		const odd = 'tok/58ab+3e0d=2f"x';
		const note = `a ${spell(odd)} b`;
		const text = JSON.stringify(redacted({ note, source: { token: odd } })['note']);
		expect(text).toContain(REDACTED);
		expect(text).not.toMatch(/58ab/);
	});

	it('finds a card number between tags that have digits of their own', () => {
		const note = '<p>4929<span class="d1">4205</span> <b id=2>7359</b>5709</p>';
		expect(redacted({ source, note })['note']).not.toMatch(/4929|4205|7359|5709/);
		expect(redactText(note, '')).not.toMatch(/4929|4205|7359|5709/);
	});

	it('leaves short values alone elsewhere: three digits are in any amount', () => {
		const result = redacted({ total: '123.00', source: { token: 'a', card_data: { cvv: '123' } } });
		expect(result).toEqual({ total: '123.00', source: {} });
		expect(redactRecord({ note: 'key' }, { apiKey: 'key' })).toEqual({ note: 'key' });
	});

	it('finds what was held in lists, as a number, or under a name that the document does not show', () => {
		const held = {
			token: ['tok-in-a-list-1', { old: 'tok-in-a-list-2' }],
			card_data: { track: 'track-two-of-a-card', card_number: 4929420573595709 },
		};
		const note = 'tok-in-a-list-1 tok-in-a-list-2 track-two-of-a-card 4929 4205 7359 5709';
		const marks = [REDACTED, REDACTED, REDACTED, REDACTED].join(' ');
		expect(redacted({ note, source: held })).toEqual({ note: marks, source: {} });
		expect(redacted({ note, charges: [{ extra: held }] })).toEqual({
			note: marks,
			charges: [{ extra: {} }],
		});
	});

	it('takes a number for a card number only where the contract shows none', () => {
		const number = Number(cardNumber);
		const record = { source, net: number, reference_id: number, unknown: number, other: [number] };
		expect(redacted(record)).toMatchObject({
			net: number,
			reference_id: number,
			unknown: REDACTED,
			other: [REDACTED],
		});
	});

	it('keeps what stands in the card data and elsewhere as well: dates and the holder’s name', () => {
		const holder = 'Augusta Ada King';
		const record = {
			source: { card_holder_name: holder, card_data: { ...cardData, card_holder_name: holder } },
			note: `${holder}, 2031`,
		};
		expect(redacted(record)).toEqual({
			source: { card_holder_name: holder },
			note: `${holder}, 2031`,
		});
	});

	it('never touches a text of the contract, and takes its lists and objects for unknown', () => {
		const record = {
			source,
			status: `paid ${cardNumber}`,
			payment_method: [cardNumber],
			currency: { code: cardNumber },
		};
		expect(redacted(record)).toMatchObject({
			status: `paid ${cardNumber}`,
			payment_method: [REDACTED],
			currency: { code: REDACTED },
		});
	});

	it('finds a card number and a token where the contract shows a word of the service', () => {
		const inSource = ['type', 'last4', 'bin', 'scheme', 'issuer', 'card_type', 'expires_on'];
		const inRecord = ['payment_method', 'payment_capture_source'];
		const withWord = (name: string, word: string | number): IDataObject =>
			inRecord.includes(name) ? { source, [name]: word } : { source: { ...source, [name]: word } };
		for (const name of [...inSource, ...inRecord]) {
			for (const word of [
				cardNumber,
				Number(cardNumber),
				token,
				`card 4929 4205 7359 5709, ${token}`,
				JSON.stringify({ source }),
			]) {
				const record = withWord(name, word);
				expect([name, findSecrets(redacted(record))]).toEqual([name, []]);
			}
			expect(redacted(withWord(name, `card ${cardNumber}`))).toEqual(
				redacted(withWord(name, `card ${REDACTED}`)),
			);
		}
		const charges = [{ payment_method: cardNumber }];
		expect(redacted({ source, charges })['charges']).toEqual([{ payment_method: REDACTED }]);
	});

	it('leaves pieces of a number where the contract shows words, and words that are a token as well', () => {
		const words = { payment_method: 'contactless_card', source: { ...source, scheme: '4929' } };
		const record = { ...words, events: { type: 'authorised_online' } };
		for (const held of ['contactless_card', 'authorised_online']) {
			const result = redacted({ ...record, source: { ...record.source, token: held } });
			expect(result).toEqual({
				...record,
				source: { type: 'card', last4: '5709', bin: '492942', scheme: '4929' },
			});
		}
		expect(redacted(record, true)).toMatchObject({ source: { token, bin: '492942' } });
	});

	it('replaces the key in any text, whichever letters its escapes are in', () => {
		const key = 'Key/With+Signs';
		const lower = encodeURIComponent(key).replace('%2F', '%2f').replace('%2B', '%2b');
		expect(redactRecord({ id: key, status: lower, a: [key] }, { apiKey: key })).toEqual({
			id: REDACTED,
			status: REDACTED,
			a: [REDACTED],
		});
	});

	it('keeps the merchant’s own pairs, security codes excepted', () => {
		const metadata = { token: 'table-7', card_number: 'loyalty-1', security_code: '1' };
		expect(redacted({ metadata, note: 'table-7' })).toEqual({
			metadata: { token: 'table-7', card_number: 'loyalty-1' },
			note: 'table-7',
		});
	});

	it.each<[string, unknown]>([
		['entries of a list', ['4929', '4205', '7359', '5709']],
		['numbers in a list', [4929, 4205, 7359, 5709]],
		['lists in a list', [['49294205'], [['7359'], '5709']]],
		['fields of an object', { a: '4929', b: '4205', c: '7359', d: '5709' }],
		['fields of objects', [{ part: 'No. 4929 4205' }, { part: '73595709 and no more' }]],
	])('finds a card number whose digits stand in several texts: %s', (_what, parts) => {
		const record = redacted({ source, custom_fields: parts as IDataObject[] });
		expect(JSON.stringify(record['custom_fields']).replaceAll(REDACTED, '')).not.toMatch(/\d{4}/);
	});

	it('leaves what stands between the parts of a number, and around them', () => {
		const record = {
			source,
			custom_fields: [
				{ name: 'a 4929', value: '42057359' },
				{ name: 'b', value: '5709, paid' },
			],
		};
		expect(redacted(record)['custom_fields']).toEqual([
			{ name: `a ${REDACTED}`, value: REDACTED },
			{ name: 'b', value: `${REDACTED}, paid` },
		]);
	});

	it('finds a card number that card data holds in groups or with more around it', () => {
		for (const held of [['4929', '4205', '7359', '5709'], '4929 4205 7359 5709 12/31 917']) {
			const record = {
				note: `paid by ${cardNumber}`,
				source: { card_data: { card_number: held } },
			};
			expect(redacted(record)).toEqual({ note: `paid by ${REDACTED}`, source: {} });
		}
	});

	it.each<[string, string]>([
		['JSON', JSON.stringify({ type: 'card', ...{ token, card_data: cardData } })],
		['words', `card ${cardNumber}, token ${token}`],
		['the token', `${token};${cardNumber}`],
	])('takes a payment source that is one text for what it holds: %s', (_what, text) => {
		const record = redacted({ id: 'a', source: text, note: `${token} ${cardNumber}` });
		expect(findSecrets(record)).toEqual([]);
		expect(record['note']).toBe(`${REDACTED} ${REDACTED}`);
		expect(redacted({ source: text }, true)['source']).toBe(
			text.includes('security_code')
				? JSON.stringify({
						type: 'card',
						token,
						card_data: { ...cardData, security_code: undefined },
					})
				: text,
		);
	});

	it.each([
		'web',
		'import-2024-11-21',
		'terminal0012 of shop 7',
		'service_hosted',
		'shop_plugin_a',
		'Point of Sale 2',
		'payment_gateway_v2',
		'{"a":1}',
		'{ "token" : "x", broken',
	])('leaves a source %j as it is', (text) => {
		expect(redacted({ source: text })).toEqual({ source: text });
	});

	it('finds what a text that is JSON holds, and leaves one without secrets byte for byte', () => {
		const held = JSON.stringify({ charge: { source } });
		const record = redacted({ note: held, metadata: { charge: held }, unknown: [held] });
		expect(findSecrets(record)).toEqual([]);
		expect(record['note']).toBe(
			'{"charge":{"source":{"type":"card","last4":"5709","bin":"492942"}}}',
		);
		const plain = '{ "token_count": 3,  "data": [1, 2] }';
		expect(redacted({ note: plain })).toEqual({ note: plain });
	});

	it.each<[string, (text: string) => string]>([
		['JSON in JSON', (text) => JSON.stringify({ payload: text })],
		[
			'JSON in JSON in JSON',
			(text) => JSON.stringify([{ a: JSON.stringify({ payload: text }, null, 2) }]),
		],
		['a text as JSON', JSON.stringify],
		['signs of JSON escaped', (text) => JSON.stringify({ text }).replaceAll('\\"', '\\u0022')],
		[
			'ten levels',
			(text) =>
				Array.from({ length: 10 }).reduce<string>((inner) => `[${JSON.stringify(inner)}]`, text),
		],
	])('finds what a record holds that stands in %s', (_what, wrap) => {
		for (const held of [JSON.stringify({ source }), JSON.stringify({ source }, null, '\t')]) {
			const record = { id: '1', note: wrap(held), custom_fields: [{ name: wrap(held) }] };
			expect(findSecrets(redacted(record))).toEqual([]);
			expect(findSecrets(redacted(record, true), { securityCode })).toEqual([]);
		}
		const plain = wrap('{ "token_count": 3,  "data": "a" }');
		expect(redacted({ note: plain })).toEqual({ note: plain });
	});

	it('leaves what a text that is JSON holds else, however deep it stands', () => {
		const note = JSON.stringify({ kept: 1, payload: JSON.stringify({ cvv: '917', also: 'kept' }) });
		expect(redacted({ note }, true)).toEqual({
			note: JSON.stringify({ kept: 1, payload: JSON.stringify({ also: 'kept' }) }),
		});
	});

	it('takes an object among the merchant’s pairs for a record, and a card number for one', () => {
		const metadata = {
			charge: { source },
			token: 'table-7',
			card_number: '4929 4205 7359 5709',
			list: [{ source }],
		};
		const rest = { type: 'card', last4: '5709', bin: '492942' };
		expect(redacted({ metadata, note: cardNumber })).toEqual({
			metadata: { charge: { source: rest }, token: 'table-7', list: [{ source: rest }] },
			note: REDACTED,
		});
	});

	it.each<[string, (key: string) => string]>([
		['capitals', (key) => key.toUpperCase()],
		['JSON', (key) => JSON.stringify(key).slice(1, -1)],
		['Base64', (key) => Buffer.from(key).toString('base64')],
		['Base64 after a name', (key) => Buffer.from(`api:${key}`).toString('base64')],
		['Base64 amid others', (key) => Buffer.from(`{"key":"${key}","a":1}`).toString('base64')],
		['Base64 of an address', (key) => Buffer.from(`??${key}`).toString('base64url')],
	])('replaces the key in %s', (_what, spell) => {
		for (const key of [apiKey, 'Key"with\\odd>>>signs???']) {
			const text = redactText(`key=${spell(key)}!`, key);
			expect(text).toContain(REDACTED);
			for (const decoded of [
				text,
				...(text.match(/[\w+/-]{8,}/g) ?? []).map((code) => Buffer.from(code, 'base64').toString()),
			]) {
				expect(decoded.toLowerCase()).not.toContain(key.toLowerCase());
			}
		}
	});

	it.each<[string, (sign: string) => string]>([
		['numbers', (sign) => `&#${sign.charCodeAt(0)};`],
		['hexadecimal numbers', (sign) => `&#x${sign.charCodeAt(0).toString(16)};`],
		[
			'its own choice of signs',
			(sign) => ({ '"': '&quot;', '>': '&gt;', '+': '&#x2B;' })[sign] ?? sign,
		],
	])('replaces the key as a web page escapes it, by %s', (_what, escape) => {
		for (const key of ['aB3+xY/9zQ==k', 'Key"with\\odd>>>signs???']) {
			const spelled = Array.from(key, (sign) => (/\w/.test(sign) ? sign : escape(sign))).join('');
			expect(redactText(`The key ${spelled} is unknown`, key)).toBe(
				`The key ${REDACTED} is unknown`,
			);
		}
	});

	it.each<[string, (key: string) => string]>([
		['a form', (key) => new URLSearchParams({ key }).toString().slice('key='.length)],
		[
			'a strict address',
			(key) => key.replace(/\W/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
		],
		['an address that escapes some signs', (key) => key.replaceAll("'", '%27')],
	])('replaces the key as it stands in %s', (_what, spell) => {
		for (const key of ["it's(a)key!*~", "a'b/c+d=e&f%g"]) {
			const text = `The key=${spell(key)}, is unknown`;
			expect(redactText(text, key)).toBe(`The key=${REDACTED}, is unknown`);
			expect(redactRecord({ note: text }, { apiKey: key })).toEqual({
				note: `The key=${REDACTED}, is unknown`,
			});
		}
	});

	it('keeps everything else as it is, and the given record too', () => {
		const record: IDataObject = { a: null, b: [1, 'x', true], c: { d: undefined }, e: '' };
		const copy = structuredClone(record);
		expect(redacted(record)).toEqual(copy);
		expect(record).toEqual(copy);
		const full = { source };
		redacted(full);
		expect(full.source.card_data.security_code).toBe(securityCode);
	});

	it('is not led astray by a field named __proto__', () => {
		const record = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as IDataObject;
		const result = redacted(record);
		expect(Object.keys(result)).toEqual(['__proto__', 'a']);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
	});

	it('leaves no secret anywhere, whatever the shape of the record', () => {
		const secretField = fc.constantFrom<IDataObject>(
			{ token },
			{ card_data: cardData },
			{ source },
			{ card_number: cardNumber, security_code: securityCode },
			{ message: `key ${apiKey}` },
		);
		const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 5, withCrossShrink: true },
				fc.string(),
				secretField,
				fc.array(tie('tree'), { maxLength: 3 }),
				fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
			),
		}));
		fc.assert(
			fc.property(tree, secretField, (value, field) => {
				const record = { value, ...field } as IDataObject;
				expect(findSecrets(redacted(record))).toEqual([]);
				expect(findSecrets(redacted(record, true), { apiKey, securityCode })).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});
});
