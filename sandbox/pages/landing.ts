import { API_KEY_HEADER, ENDPOINTS } from '../../contract/constants';
import { DEFAULT_SWITCHES, SWITCH_MEANINGS, type Switches } from '../behaviour/switches';
import type { RequestEntry } from '../behaviour/requestLog';
import type { SandboxContext } from '../context';
import { CONTROL_PREFIX } from '../control/prefix';
import { describeState } from '../control/state';
import { chargeTotals } from './holdings';
import { type Html, html } from './html';

const REQUESTS_SHOWN = 50;
const CHARGES_SHOWN = 8;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** What everybody may know who can reach the sandbox. */
export function endpointList(): Html {
	return html`<h2>Endpoints</h2>
		<p>With the header <code>${API_KEY_HEADER}</code>.</p>
		<pre>
${Object.values(ENDPOINTS)
				.map(({ method, path }) => `${method.padEnd(6)} ${path}`)
				.join('\n')}</pre
		>`;
}

/**
 * What the sandbox holds, how it is set, and what was asked of it.
 *
 * @param nowMs of the clock that the request log goes by
 */
export function overview(context: SandboxContext, nowMs: number): Html {
	const { url, seed, now, counts, faults } = describeState(context);
	return html`<p>
			<code>${url}</code> <span class="faint">· seed ${seed} · ${minute(now)} UTC</span>
		</p>
		<ul class="tiles">
			${Object.entries(counts).map(
				([name, count]) => html`<li><strong>${thousands(count)}</strong> ${words(name)}</li>`,
			)}
		</ul>
		${charges(context)} ${requests(context, nowMs)} ${switches(context.switches, url)}
		<h2>Faults</h2>
		<p>
			${faults === 0 ? 'None is staged' : `${faults} staged`}:
			<a href="${CONTROL_PREFIX}/faults"><code>${CONTROL_PREFIX}/faults</code></a
			>. All that can be staged is listed at
			<a href="${CONTROL_PREFIX}"><code>${CONTROL_PREFIX}</code></a
			>, which answers to this machine only.
		</p>`;
}

function charges({ store }: SandboxContext): Html {
	const { read, currencies, statuses } = chargeTotals(store);
	const which = read === store.charges.size ? '' : `of the newest ${thousands(read)}`;
	const newest = Array.from({ length: CHARGES_SHOWN }, (_, position) =>
		store.charges.at(position),
	).flatMap((stored) => (stored === undefined ? [] : [stored.charge]));
	return html`<h2>Charges ${which}</h2>
		<p>
			${statuses.map(
				({ status, charges }, position) =>
					html`${position === 0 ? '' : ' · '}${thousands(charges)} ${status}`,
			)}
		</p>
		${table(
			['Currency', '#Charges', '#Total', '#Refunded'],
			currencies.map(({ currency, charges, total, refunded }) => [
				currency,
				thousands(charges),
				thousands(total),
				thousands(refunded),
			]),
		)}
		<h2>Newest charges</h2>
		${table(
			['Created (UTC)', '#Total', 'Status', '#Refunded', 'Paid by', 'Charge'],
			newest.map((charge) => [
				minute(charge.created),
				`${charge.total} ${charge.currency}`,
				charge.status,
				charge.refund_total,
				charge.source.card_holder_name,
				html`<code>${charge.id}</code>`,
			]),
		)}`;
}

function requests({ log, apiKey }: SandboxContext, nowMs: number): Html {
	const asked = log.entries.filter(({ path }) => path !== '/' && path !== '/favicon.ico');
	if (asked.length === 0)
		return html`<h2>Requests</h2>
			<p>Nothing was asked for yet.</p>`;
	const shown = asked.slice(-REQUESTS_SHOWN).reverse();
	return html`<h2>Requests</h2>
		<p>
			${thousands(asked.length)} so
			far${shown.length < asked.length ? `, the last ${shown.length} here` : ''}.
		</p>
		${table(
			['When', 'Request', 'Key', 'Answer', '#Took'],
			shown.map((entry) => [
				ago(nowMs - entry.startedAtMs),
				html`<code>${entry.method} ${withoutKey(target(entry), apiKey)}</code>`,
				keyOf(entry),
				answer(entry),
				entry.endedAtMs === null ? '' : `${Math.round(entry.endedAtMs - entry.startedAtMs)} ms`,
			]),
		)}`;
}

function switches(values: Switches, url: string): Html {
	return html`<h2>Switches</h2>
		<p>One for each thing that the service's document leaves open. To change some:</p>
		<pre>
curl -X POST ${url}${CONTROL_PREFIX}/switches -H 'Content-Type: application/json' -d '{"rowOrder":"shuffled"}'</pre
		>
		${table(
			['Switch', 'Now', 'What it does'],
			(Object.keys(values) as (keyof Switches)[]).map((name) => [
				html`<code>${name}</code>`,
				setting(values[name], DEFAULT_SWITCHES[name]),
				SWITCH_MEANINGS[name],
			]),
		)}`;
}

function setting(now: Switches[keyof Switches], usual: Switches[keyof Switches]): Html {
	const text = JSON.stringify(now);
	if (text === JSON.stringify(usual)) return html`<code>${text}</code>`;
	return html`<code class="changed">${text}</code>
		<span class="faint">usually ${JSON.stringify(usual)}</span>`;
}

/** A heading that begins with # is one of numbers. */
function table(headings: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
	const number = (position: number) => (headings[position]?.startsWith('#') ? 'number' : '');
	return html`<div class="wide">
		<table>
			<tr>
				${headings.map(
					(text, position) => html`<th class="${number(position)}">${text.replace(/^#/, '')}</th>`,
				)}
			</tr>
			${rows.map(
				(cells) =>
					html`<tr>
						${cells.map((cell, position) => html`<td class="${number(position)}">${cell}</td>`)}
					</tr>`,
			)}
		</table>
	</div>`;
}

function target({ path, query }: RequestEntry): string {
	const parameters = new URLSearchParams(query).toString();
	return parameters === '' ? path : `${path}?${parameters}`;
}

/** Somebody may have put the key where it does not belong. */
function withoutKey(text: string, apiKey: string): string {
	return text
		.replaceAll(apiKey, '[key]')
		.replaceAll(new URLSearchParams([['', apiKey]]).toString().slice(1), '[key]');
}

/** The hosted pages need no key. */
function keyOf({ path, keySent, keyRight }: RequestEntry): string | Html {
	if (keyRight || !path.startsWith('/v1/')) return keySent ? 'right' : '';
	return html`<span class="bad">${keySent ? 'wrong' : 'none'}</span>`;
}

function answer({ status, endedAtMs }: RequestEntry): Html {
	if (status === null)
		return html`<span class="bad">${endedAtMs === null ? 'open' : 'none'}</span>`;
	return html`<span class="${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}

function ago(ms: number): string {
	if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`;
	return `${Math.floor(ms / MINUTE_MS)} min ago`;
}

const minute = (timestamp: string) => timestamp.slice(0, 16).replace('T', ' ');

/** Groups the digits before the decimal point. */
const thousands = (number: number | string) =>
	String(number).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
