import type { INodeParameters } from 'n8n-workflow';
import type { RunResult } from '../../support/engine';
import {
	scriptedServer,
	type Answer,
	type ScriptedServer,
} from '../../support/servers/http-server';
import {
	OPERATIONS,
	runOperation,
	uuid,
	type OperationCase,
	type OperationName,
} from '../../support/operations';

/** Runs an operation for one item against a service that always answers the same. */
export async function runAgainst(
	answer: Answer,
	{
		name = 'link get',
		parameters,
		...options
	}: {
		name?: OperationName;
		parameters?: INodeParameters;
		onError?: 'continueRegularOutput' | 'continueErrorOutput';
		requestOptions?: INodeParameters;
	} = {},
): Promise<RunResult & { server: ScriptedServer }> {
	const server = await scriptedServer(() => answer);
	const testCase: OperationCase = OPERATIONS[name];
	const result = await runOperation(server, {
		...testCase,
		parameters: { ...testCase.parameters, ...parameters },
		items: [{ key: uuid(1) }],
		...options,
	});
	await server.close();
	return { ...result, server };
}
