import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';

const LONGEST_LINE = 30;
const LEFT_OUT: readonly unknown[] = [undefined, null, false];
const STYLE = `${readFileSync(require.resolve('@picocss/pico/css/pico.classless.min.css'), 'utf8')}
:root { --pico-font-size: 100%; }
@media (max-width: 60rem) { :root { --pico-font-size: 87.5%; } }
body > main.narrow { max-width: 40rem; }
form { margin-bottom: var(--pico-spacing); }
iframe { width: 100%; height: 26rem; }
td, th { padding: .4rem .6rem; white-space: nowrap; }
td.long { min-width: 12rem; white-space: normal; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; }`;

export class Markup {
	constructor(readonly text: string) {}
}

function escaped(value: unknown): string {
	if (value instanceof Markup) return value.text;
	if (Array.isArray(value)) return value.map(escaped).join('');
	const text = LEFT_OUT.includes(value) ? '' : String(value);
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes each value that is not markup. Undefined, null and false are left out. */
export const markup = ({ raw }: TemplateStringsArray, ...values: unknown[]): Markup =>
	new Markup(String.raw({ raw }, ...values.map(escaped)));

/** Numbers line up on the right. Only long text wraps, so that no other column is squeezed. */
function lookOf(value: unknown): string {
	const text = escaped(value).replace(/<[^>]*>/g, '');
	if (/^-?[\d.]+$/.test(text)) return 'number';
	return text.length > LONGEST_LINE ? 'long' : '';
}

/** A column of numbers is known by its first one. */
export const table = (columns: readonly string[], rows: readonly (readonly unknown[])[]) =>
	markup`<table><thead><tr>${columns.map(
		(name, index) => markup`<th class="${lookOf(rows[0]?.[index])}">${name}</th>`,
	)}</tr></thead>${rows.map(
		(cells) =>
			markup`<tr>${cells.map((value) => markup`<td class="${lookOf(value)}">${value}</td>`)}</tr>`,
	)}</table>`;

export interface Page {
	title: string;
	body?: Markup;
	/** Stands above the title. */
	above?: Markup;
	/** A single narrow column. */
	narrow?: boolean;
	/** Seconds after which the browser loads the page again. */
	refresh?: number;
}

/** A whole page that asks for nothing else: no script, no picture, no font. */
export function sendPage(reply: FastifyReply, page: Page): string {
	const { title, body, above, narrow = false, refresh } = page;
	reply.headers({
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
		'Cache-Control': 'no-store',
	});
	const again = refresh && markup`<meta http-equiv="refresh" content="${refresh}">`;
	return markup`<!doctype html><html lang="en"><head><meta charset="utf-8">${again}
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${new Markup(STYLE)}</style></head>
<body><main class="${narrow && 'narrow'}">${above}<h1>${title}</h1>${body}</main></body></html>`
		.text;
}
