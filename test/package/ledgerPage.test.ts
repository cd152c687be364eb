import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(__dirname, '../../examples/ledger-page.json');
const [, style = ''] = /<style>(.*?)<\/style>/.exec(readFileSync(file, 'utf8')) ?? [];
const [, dark = ''] =
	/@media \(prefers-color-scheme: dark\) \{ (:root \{.*?\}) \}/.exec(style) ?? [];

/** The colours that the page gives names to, by these names. */
const coloursOf = (css: string): Record<string, string> =>
	Object.fromEntries(
		[...css.matchAll(/--(\w+): (#\w+)/g)].map(([, name = '', value = '']) => [name, value]),
	);

/** Relative luminance of a colour, as WCAG 2 has it. */
function luminance(hex: string): number {
	const digits = hex.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');
	const linear = [0, 2, 4].map((at) => {
		const part = parseInt(digits.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	const [red = 0, green = 0, blue = 0] = linear;
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
	const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

// What Chromium paints a canvas in.
it.each([
	['light', style.replace(dark, ''), '#ffffff'],
	['dark', dark, '#121212'],
])('the page of the ledger can be read when the reader’s system is %s', (_scheme, css, canvas) => {
	expect(style).toContain(':root { color-scheme: light dark;');
	expect(style).toContain('color: CanvasText; background: Canvas');
	const { yes = canvas, no = canvas, line = canvas } = coloursOf(css);
	for (const text of [yes, no]) expect(contrast(text, canvas)).toBeGreaterThan(4.5);
	expect(contrast(line, canvas)).toBeGreaterThan(1.2);
	// No colour but those that are for both.
	const rest = style.replace(dark, '').replace(/:root \{.*?\}/, '');
	expect(rest).not.toMatch(/#[\da-f]{3}|rgb|hsl/i);
});
