import { scriptedServer, type Answer, type ScriptedServer } from '../support/servers/http-server';

export const always = async (answer: Answer): Promise<ScriptedServer> =>
	await scriptedServer(() => answer);
