import { compileFunction } from 'node:vm';

import { read } from './project';

/** Parameters of a Code node, an Edit Fields node and a Data Table node. */
interface Parameters {
	jsCode: string;
	assignments: { assignments: { name: string; value: string }[] };
	columns: { value: Record<string, string> };
}

export function parametersOf(file: string, name: string): Parameters {
	const { nodes } = JSON.parse(read(`examples/${file}`)) as {
		nodes: { name: string; parameters: Parameters }[];
	};
	const node = nodes.find((each) => each.name === name);
	if (node === undefined) throw new Error(`${file} has no node "${name}"`);
	return node.parameters;
}

/** Runs the code of a Code node with these globals. */
export function run(code: string, globals: Record<string, unknown>): unknown {
	const compiled = compileFunction(code, Object.keys(globals)) as (...values: unknown[]) => unknown;
	return compiled(...Object.values(globals));
}

/** Evaluates an expression such as "={{ $json.id }}" with these globals. */
export const valueOf = (expression = '', globals: Record<string, unknown>): unknown =>
	run(`return ${expression.replace(/^=\{\{([^]*)\}\}$/, '$1')}`, globals);
