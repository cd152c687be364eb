/** Markup that is safe to send: everything else that gets into it was escaped. */
export class Html {
	constructor(readonly markup: string) {}
}

type Value = string | number | Html | readonly Html[];

/** Markup with values in it. Text is escaped, also inside of a quoted attribute; only Html goes in as it is. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
	return new Html(
		strings.map((text, position) => text + markupOf(values[position] ?? '')).join(''),
	);
}

function markupOf(value: Value): string {
	if (value instanceof Html) return value.markup;
	if (typeof value === 'object') return value.map(({ markup }) => markup).join('');
	return escape(String(value));
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A whole page that asks for nothing else: no script, no picture, no font. */
export function page(title: string, content: Html): string {
	return html`<!doctype html>
		<html lang="en">
			<meta charset="utf-8" />
			<meta name="viewport" content="width=device-width, initial-scale=1" />
			<meta name="color-scheme" content="light dark" />
			<link rel="icon" href="data:," />
			<title>${title}</title>
			<style>
				${new Html(STYLE)}
			</style>
			<main>
				<h1>${title}</h1>
				${content}
				<footer>Sandbox: made-up data, no money moves.</footer>
			</main>
		</html> `.markup;
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #3a3f47); --soft: light-dark(#f4f5f7, #23272e);
	--faint: light-dark(#5f6875, #9aa4b2); --good: light-dark(#0f766e, #5eead4); --bad: light-dark(#b42318, #ff9a8f); }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #17191d); color: light-dark(#1b1f24, #e6e8eb); }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; }
p { margin: .5rem 0; } a { color: var(--good); } footer, .faint { color: var(--faint); } footer { margin-top: 2.5rem; font-size: .85rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: .5rem; padding: .75rem 1rem; white-space: pre-wrap; }
button { font: inherit; padding: .4rem 1.2rem; border-radius: .4rem; border: 0; background: #0f766e; color: #fff; cursor: pointer; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; list-style: none; }
.tiles li { flex: 1 1 8rem; background: var(--soft); border-radius: .5rem; padding: .6rem .9rem; }
.tiles strong { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; font-size: .85rem; } th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .changed { font-weight: 700; }
`;
