import assert from 'node:assert/strict';

import { until } from '../until.mjs';

/** n8n leaves some of those without an answer who send a form of which another copy was just sent. */
const TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 20_000;

/** @param {{ user: string, password: string }} [user] whom n8n asks for before it shows a page */
export const asUser = (user) =>
	user && { authorization: `Basic ${btoa(`${user.user}:${user.password}`)}` };

/**
 * Fills in a form of n8n and sends it, as the page's own script does: it knows the user by a token alone.
 *
 * @param {string} url that the page has in a browser
 * @param {string[]} values in the order of the form's fields
 * @param {Parameters<typeof asUser>[0]} [user]
 * @returns {Promise<{ status: number, text: string }>} what n8n answers
 */
export async function submitForm(url, values, user) {
	const page = await fetch(url, {
		headers: asUser(user),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const html = await page.text();
	assert.equal(page.status, 200, html);
	const body = new FormData();
	for (const [index, value] of values.entries()) body.append(`field-${index}`, value);
	const [, token = ''] = /authToken = '(\w*)'/.exec(html) ?? [];
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'x-auth-token': token },
		body,
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	return { status: answer.status, text: await answer.text() };
}

/**
 * Fills in a form that is answered by a page, as a browser does: it asks until that page is there.
 *
 * @param {string} url
 * @param {string[]} values
 * @returns {Promise<string>} the page
 */
export async function answerOfForm(url, values) {
	const { text } = await submitForm(url, values);
	/** @type {{ formWaitingUrl: string }} */
	const { formWaitingUrl } = JSON.parse(text);
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	const look = async (/** @type {URL | string} */ address) =>
		await (await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })).text();
	await until(async () => assert.equal(await look(status), 'form-waiting'), ANSWER_TIMEOUT_MS);
	return await look(formWaitingUrl);
}
