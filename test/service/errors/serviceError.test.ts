import { useFakeClock } from '../../support/clock';
import { html, json, text } from '../../support/servers/http-server';
import { PLANTED } from '../../support/secrets/secrets';
import { runAgainst } from './runAgainst';

/** Where services put the reason of an error, beside the one form that the document shows. */

beforeEach(() => void useFakeClock());

const OWN_TEXT = 'The service refuses the values sent';

const messageFor = async (body: unknown): Promise<string | undefined> =>
	(await runAgainst(json(body, 400))).error?.message;

describe('the reason is shown first', () => {
	it.each<[unknown, string]>([
		[{ amount: ['A valid number is required.'] }, 'amount: A valid number is required.'],
		[
			{ title: ['too long'], note: ['too long', 'odd'] },
			'title: too long; note: too long; note: odd',
		],
		[{ items: [{}, { amount: ['too many digits'] }] }, 'items.amount: too many digits'],
		[{ customer: { email: ['not an address'] } }, 'customer.email: not an address'],
		[{ non_field_errors: ['Only one of both'] }, 'Only one of both'],
		[{ errors: [{ message: 'too long', field: 'title' }] }, 'title: too long'],
		[{ errors: ['title too long'] }, 'title too long'],
		[{ errors: { title: ['too long'] } }, 'title: too long'],
		[{ message: 'Invalid', errors: { title: ['too long'] } }, 'Invalid; title: too long'],
		[{ message: ['a is bad', 'b is bad'] }, 'a is bad; b is bad'],
		[{ messages: ['a is bad'] }, 'a is bad'],
		[{ error: { message: ['a is bad', 'a is bad'], code: 'v' } }, 'a is bad (code v, HTTP 400)'],
		[{ error: { message: { title: ['too long'] } } }, 'title: too long'],
		[{ error: ['x is bad'] }, 'x is bad'],
		[{ error: [{ message: 'x is bad' }] }, 'x is bad'],
		[{ error: 'invalid', error_description: 'title too long' }, 'invalid; title too long'],
		[{ detail: [{ loc: ['body', 'title'], msg: 'too long', type: 'x' }] }, 'title: too long'],
		[{ details: ['x is bad'] }, 'x is bad'],
		[{ type: 'about:blank', title: 'Bad Request', status: 400 }, 'Bad Request'],
		[{ title: 'Bad Request', detail: 'x is bad' }, 'x is bad'],
		[{ description: 'x is bad' }, 'x is bad'],
		[['title too long'], 'title too long'],
		[[{ error: { message: 'x is bad', code: 'c' } }], 'x is bad (code c, HTTP 400)'],
	])('%j', async (body, reason) => {
		const shown = reason.endsWith(')') ? reason : `${reason} (HTTP 400)`;
		expect(await messageFor(body)).toBe(shown);
	});

	it('of a short plain text, which is no page and no JSON that breaks off', async () => {
		const messageOf = async (body: string): Promise<string | undefined> =>
			(await runAgainst(text(body, 400))).error?.message;
		expect(await messageOf(' title too long\n')).toBe('title too long (HTTP 400)');
		for (const body of ['x'.repeat(301), 'Oops <b>down</b>', '{"error":', '   ']) {
			expect(await messageOf(body)).toBe(`${OWN_TEXT} (HTTP 400)`);
		}
		const page = await runAgainst(html('Oops', 400));
		expect(page.error?.message).toBe(`${OWN_TEXT} (HTTP 400)`);
	});
});

describe('nothing else of a body is shown', () => {
	it.each<[string, unknown]>([
		['a record', { id: 'a', title: 'For Ana', description: 'Ana', email: 'ana@example.com' }],
		['a record inside of another', { link: { note: 'For Ana', message: 'For Ana', title: 'Ana' } }],
		['rows of a list', { results: [{ email: 'ana@example.com', events: { message: 'Ana' } }] }],
		[
			'what lies deeper than a few levels',
			{ error: { error: { error: { error: { error: { error: { error: 'x' } } } } } } },
		],
		['texts under names that are no fields', { 'Ana Ruiz <ana@example.com>': ['Ana'] }],
		['numbers and the like', { amount: [1, true, null], error: 7, message: false }],
	])('%s', async (_what, body) => {
		expect(await messageFor(body)).toBe(`${OWN_TEXT} (HTTP 400)`);
	});

	it('and of what is shown no secrets, and no more than the usual length', async () => {
		const { apiKey } = PLANTED;
		const shown = await messageFor({
			key: [`${apiKey} is wrong`],
			card: ['4111 1111 1111 1111 is no card'],
			rest: ['x'.repeat(30_000)],
		});
		expect(shown).not.toContain(apiKey);
		expect(shown).not.toContain('4111');
		expect(shown).toMatch(/^key: .* is wrong; card: .* is no card; rest: x+ \(HTTP 400\)$/);
		expect(shown?.length).toBe(500 + ' (HTTP 400)'.length);
	});

	it('of many texts only the first', async () => {
		const many = Array.from({ length: 50_000 }, (_, index) => `no ${index}`);
		expect(await messageFor({ errors: many })).toMatch(/^no 0; .*; no 19 \(HTTP 400\)$/);
	});
});
