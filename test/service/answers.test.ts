import { ENDPOINTS } from '../../contract/constants';
import { saysFailed, serviceError } from '../../nodes/shared/service/answers';
import { PLANTED } from '../support/secrets/secrets';

const REQUEST = { endpoint: ENDPOINTS.linkGet, id: 'asked' };

const messageIn = (body: unknown): string | undefined =>
	serviceError(body, PLANTED.apiKey).serviceMessage;

it.each<[unknown, string]>([
	[{ error: { message: 'x is bad', code: 'c' } }, 'x is bad'],
	[{ error: 'x is bad' }, 'x is bad'],
	[{ error: ['x is bad'] }, 'x is bad'],
	[{ error: { message: ['a is bad', 'a is bad'] } }, 'a is bad'],
	[{ error: { message: { title: ['too long'] } } }, 'title: too long'],
	[{ message: 'Invalid', errors: { title: ['too long'] } }, 'Invalid; title: too long'],
	[{ message: ['a is bad', 'b is bad'] }, 'a is bad; b is bad'],
	[{ detail: 'x is bad' }, 'x is bad'],
	[{ detail: [{ loc: ['body', 'amount'], msg: 'x is bad' }] }, 'x is bad'],
	[{ errors: ['title too long'] }, 'title too long'],
	[{ errors: [{ message: 'too long', field: 'title' }] }, 'too long'],
	[{ amount: ['A valid number is required.'] }, 'amount: A valid number is required.'],
	[
		{ title: ['too long'], note: ['too long', 'odd'] },
		'title: too long; note: too long; note: odd',
	],
	[['title too long'], 'title too long'],
	[{ title: 'Insufficient balance' }, 'Insufficient balance'],
	[{ type: 'about:blank', title: 'Refused', detail: 'Too high', status: 400 }, 'Refused; Too high'],
	[
		{ error: 'invalid_scope', error_description: 'Key is read-only' },
		'Key is read-only; invalid_scope',
	],
	// Django REST Framework sends these.
	[{ amount: 'Too high', note: 'Odd' }, 'amount: Too high; note: Odd'],
	[{ items: [{}, { name: ['Too long.'] }] }, 'items 2, name: Too long.'],
	[
		{ custom_fields: ['At most 5.'], items: [{ name: 'Odd' }] },
		'custom_fields: At most 5.; items 1, name: Odd',
	],
	[{ items: [{ tax: { mode: [['Unknown.']] } }] }, 'items 1, tax, mode: Unknown.'],
	[{ non_field_errors: ['Choose one.'] }, 'Choose one.'],
	[{ items: { non_field_errors: ['Not a list.'] } }, 'items: Not a list.'],
	[{ errors: { link: { title: ['Too long.'] } } }, 'link, title: Too long.'],
	[' title too long\n', 'title too long'],
])('finds the reason in %j', (body, reason) => {
	expect(messageIn(body)).toBe(reason);
});

it.each<[string, unknown]>([
	['a record', { id: 'a', title: 'For Ana', description: 'Ana', email: 'ana@example.com' }],
	['a record inside of another', { link: { id: 'a', note: 'For Ana', title: 'For Ana' } }],
	['rows of a list', { results: [{ id: 7, email: 'ana@example.com', tags: ['Ana'] }] }],
	['deeply nested texts', JSON.parse('{"error":'.repeat(12) + '"x"' + '}'.repeat(12))],
	['texts under names that are no fields', { 'Ana Ruiz <ana@example.com>': ['Ana'] }],
	['numbers and the like', { amount: [1, true, null], error: 7, message: false }],
	['blank texts', { error: { message: '  ' } }],
	['inherited names', JSON.parse('{"error":{"__proto__":{"message":"inherited"}}}')],
	['a page', '<h1>Ana</h1>'],
	['JSON that breaks off', '{"error":'],
	['a dump', 'x'.repeat(301)],
])('shows nothing of %s', (_what, body) => {
	expect(messageIn(body)).toBeUndefined();
});

it.each([
	['c', 'c'],
	[17, '17'],
	[['x'], undefined],
])('shows the code %j as %j', (code, shown) => {
	expect(serviceError({ error: { code } }, '').serviceCode).toBe(shown);
});

it('shows no secret, and at most 500 characters', () => {
	const { apiKey, cardNumber } = PLANTED;
	const many = Array.from({ length: 50_000 }, (_, index) => `no ${index}`);
	const text = messageIn({ errors: [`${apiKey} and ${cardNumber}`, ...many] });
	expect(text).toMatch(/^\[redacted\] and \[redacted\]; no 0; no 1;/);
	expect(text).toMatch(/; no 67; no …$/);
	expect(text).toHaveLength(497);
	const longest = 'x'.repeat(500);
	expect(messageIn({ error: longest })).toBe(longest);
	// A text without spaces is cut at the limit.
	expect(messageIn({ error: `Wrong: ${longest}` })).toBe(`Wrong: ${'x'.repeat(492)}…`);
	expect(messageIn({ error: 'x'.repeat(600) })).toHaveLength(500);
	expect(messageIn({ error: '😀'.repeat(600) })?.endsWith('😀…')).toBe(true);
	expect(messageIn({ error: '長'.repeat(600) })).toBe(`${'長'.repeat(499)}…`);
	// Cut after redaction, so that no part of a secret is left.
	expect(messageIn({ error: `${'x'.repeat(490)} ${cardNumber}` })).not.toMatch(/\d/);
	// Cut between words, since half a token would no longer be recognized as one.
	expect(messageIn({ error: `no charge of ${'x'.repeat(480)} tok_1234567` })).not.toMatch(/tok/);
});

it.each([
	[
		'first\r\n2026-01-01T00:00:00.000Z | info | forged',
		'first 2026-01-01T00:00:00.000Z | info | forged',
	],
	['a\u202eb\u2066c', 'a b c'],
	['a\u0000b\u001b[31mc\u2028d', 'a b [31mc d'],
	['\u0007\u200f', undefined],
])('shows characters that forge or reverse a line as spaces: %j', (text, shown) => {
	expect(messageIn({ error: { message: text } })).toBe(shown);
	expect(serviceError({ error: { code: text } }, '').serviceCode).toBe(shown);
});

it.each<[says: boolean, ...fields: object[]]>([
	[true, { error: 'x' }, { error: {} }, { error: [] }, { error: true }, { error: 1 }],
	[true, { success: false }, { success: 'false' }, { ok: false }, { ok: 'False ' }],
	[true, { errors: ['x'] }, { errors: { title: ['x'] } }, { errors: 'x' }],
	[true, { status: 'failed' }, { status: 'ERROR' }, { status: 'declined' }, { status: 'rejected' }],
	[true, { status: 'Failure' }, { status: 'not refunded' }, { status: 400 }, { status: '500' }],
	[true, { status: false }, { status: 'KO' }, { status: 'refund_failed' }, { state: 'ABORTED' }],
	[true, { result: 'error' }, { result: false }, { success: 0 }, { ok: 'no' }],
	// The ID is not that of the requested record.
	[true, { status: 'failed', id: 'job' }, { status: 'failed', id: '' }],
	[false, {}, { error: null }, { error: '' }, { error: false }, { success: true }, { ok: true }],
	[false, { error: 0 }, { error: '0' }, { error: 'false' }],
	[false, { errors: [] }, { errors: {} }, { errors: null }, { errors: '' }],
	[false, { error: { message: '', code: '' } }, { error: { message: null } }],
	[false, { status: 'success' }, { status: 'ok' }, { status: 200 }, { status: 'processing' }],
	[false, { status: 'authorised' }, { status: 'notified' }, { status: null }, { status: 0 }],
	[false, { status: 'noted' }, { result: 'none' }, { state: 'covoid' }, { success: 1 }],
	// The requested record can have any status.
	[false, { status: 'failed', id: 'asked' }, { status: 'declined', id: ' ASKED' }],
])('counts as a failure: %s, after HTTP 200 with %j', (says, ...all) => {
	for (const fields of all)
		expect([fields, saysFailed({ message: 'ok', ...fields }, REQUEST)]).toEqual([fields, says]);
});

it.each<[keyof typeof ENDPOINTS, string, boolean]>([
	['checkoutGet', 'cancelled', false],
	['invoiceGet', 'Cancelled ', false],
	['invoiceGet', 'declined', true],
	['linkCreate', 'cancelled', true],
	['chargeRefund', 'cancelled', true],
])('%s with a differently written ID and status %j fails: %s', (name, status, says) => {
	const body = { id: 'as-ked', status, message: 'ok' };
	expect(saysFailed(body, { endpoint: ENDPOINTS[name], id: 'asked' })).toBe(says);
});

it('a refund or a new link with a failed status counts as a failure', () => {
	const body = { id: 'asked', status: 'failed', message: 'Refund failed' };
	expect(saysFailed(body, { ...REQUEST, endpoint: ENDPOINTS.chargeRefund })).toBe(true);
	expect(saysFailed(body, { endpoint: ENDPOINTS.linkCreate })).toBe(true);
	expect(saysFailed({ ...body, status: 'enabled' }, { endpoint: ENDPOINTS.linkCreate })).toBe(
		false,
	);
});
