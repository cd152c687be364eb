import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a Code node, of one that sets fields, and of one that writes into a table. */
interface Parameters {
	jsCode: string;
	assignments: { assignments: { name: string; value: string }[] };
	columns: { value: { state: string } };
}

/** The parameters of a node of an example, by its name. */
export function parametersOf(file: string, name: string): Parameters {
	const text = readFileSync(join(__dirname, '../../examples', file), 'utf8');
	const { nodes } = JSON.parse(text) as { nodes: { name: string; parameters: Parameters }[] };
	const node = nodes.find((each) => each.name === name);
	if (node === undefined) throw new Error(`${file} has no node "${name}"`);
	return node.parameters;
}
