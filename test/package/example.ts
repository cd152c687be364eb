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

/** Evaluates an expression such as "={{ $json.id }}" with these globals. */
export function valueOf(expression: string | undefined, globals: Record<string, unknown>): unknown {
	const code = /^=\{\{([^]*)\}\}$/.exec(expression ?? '')?.[1];
	const evaluate = compileFunction(`return ${code ?? ''}`, Object.keys(globals)) as (
		...values: unknown[]
	) => unknown;
	return evaluate(...Object.values(globals));
}
