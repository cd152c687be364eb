import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../examples');

interface Example {
	nodes: Array<{ name: string; parameters: Record<string, unknown> }>;
}

const newLinks = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) =>
		(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Example).nodes
			.filter(({ parameters: { resource, operation } }) => {
				return resource === 'link' && operation === 'create';
			})
			.map(({ name, parameters }) => [`${file}: ${name}`, parameters['currency']]),
	);

it('there are examples that create payment links', () => {
	expect(newLinks.length).toBeGreaterThan(1);
});

it.each(newLinks)(
	'%s says its own currency, whatever is the default of somebody’s credential',
	(_name, currency) => {
		expect(currency).toMatch(/^[A-Z]{3}$|^=\{\{.*currency/i);
	},
);
