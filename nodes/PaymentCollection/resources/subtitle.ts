import type { Resource } from './resource';

/**
 * What a node on the canvas says below its name: what it does, in the words of the list of actions. An expression, which
 * the editor evaluates; where an expression stands for the choice itself, it says nothing.
 */
export function subtitleOf(resources: readonly Resource[]): string {
	const actions = resources.flatMap(({ value, actions }) =>
		Object.entries(actions).map(([operation, action]) => [`${value}:${operation}`, action]),
	);
	const words = JSON.stringify(Object.fromEntries(actions));
	return `={{ (${words})[$parameter["resource"] + ":" + $parameter["operation"]] ?? "" }}`;
}
