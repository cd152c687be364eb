import assert from 'node:assert/strict';

/** n8n leaves some of those without an answer who send a form of which another copy was just sent. */
const TIMEOUT_MS = 5_000;

/**
 * Fills in a form of n8n and sends it, as the page's own script does.
 *
 * @param {string} url that the page has in a browser
 * @param {string[]} values in the order of the form's fields
 * @returns {Promise<{ status: number, text: string }>} what n8n answers
 */
export async function submitForm(url, values) {
	const page = await fetch(url);
	assert.equal(page.status, 200, await page.clone().text());
	const form = new FormData();
	for (const [index, value] of values.entries()) form.append(`field-${index}`, value);
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual', signal });
	return { status: answer.status, text: await answer.text() };
}
