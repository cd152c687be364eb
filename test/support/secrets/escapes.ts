const each = (write: (code: number, sign: string) => string) => (text: string) =>
	text.replace(/[^]/g, (sign) => write(sign.charCodeAt(0), sign));
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const wide = each((code) => String.fromCharCode(code + 0xfee0));

/** How a text stands in another one. Some escape more than they must, and what was escaped is escaped again on its way. */
export const ESCAPES: ReadonlyArray<[where: string, escape: (text: string) => string]> = [
	['JSON', json],
	['JSON in JSON, each slash escaped', (text) => json(json(text).replaceAll('/', '\\/'))],
	['JSON that escapes signs', each((code, sign) => (/\w/.test(sign) ? sign : `\\u00${hex(code)}`))],
	['JSON that escapes all', each((code) => `\\u00${hex(code).toUpperCase()}`)],
	['an address', encodeURIComponent],
	['an address in an address', (text) => encodeURIComponent(encodeURIComponent(text))],
	['an address that escapes all', each((code) => `%${hex(code)}`)],
	['a page', each((code, sign) => (/\w/.test(sign) ? sign : `&#${code};`))],
	['a page in a page', each((code) => `&amp;#x${hex(code)};`)],
	['a page in a page, in decimals', each((code) => `&amp;#${code};`)],
	['wide signs', wide],
	['wide signs in an address', (text) => encodeURIComponent(wide(text))],
];
