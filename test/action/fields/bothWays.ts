import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ScriptedServer } from '../../support/servers/http-server';
import { runOperation, sent } from '../../support/operations';

/** The same parameters with each value behind an expression, and the item that they are read from. */
export function asExpressions(parameters: INodeParameters): {
	parameters: INodeParameters;
	item: IDataObject;
} {
	const item: IDataObject = {};
	const hide = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(hide);
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([name, entry]) => [
					name,
					['__rl', 'mode'].includes(name) ? (entry as unknown) : hide(entry),
				]),
			);
		}
		const name = `v${Object.keys(item).length}`;
		item[name] = value as IDataObject[string];
		return `={{ $json.${name} }}`;
	};
	return { parameters: hide(parameters) as INodeParameters, item };
}

/** Runs an operation with literals, then with expressions, and gives what was sent by each. */
export async function bothWays(
	server: ScriptedServer,
	{
		parameters,
		...operation
	}: { resource: string; operation: string; parameters: INodeParameters },
): Promise<ReturnType<typeof sent>[]> {
	const literal = await runOperation(server, { ...operation, parameters });
	expect(literal.error).toBeUndefined();
	const byLiterals = sent(server);
	server.forget();
	const { parameters: expressions, item } = asExpressions(parameters);
	const result = await runOperation(server, {
		...operation,
		parameters: expressions,
		items: [item],
	});
	expect(result.error).toBeUndefined();
	return [byLiterals, sent(server)];
}

export const twice = <T>(value: T): T[] => [value, value];
