import { N8nClient } from '../../../scripts/n8n-server/client/index.mjs';
import { SandboxClient } from './sandboxClient.mjs';

/**
 * The servers that run.mjs started for all test files.
 */
export function connect() {
	const text = process.env['E2E_SESSION'];
	if (text === undefined) throw new Error('Run the end-to-end tests with npm run test:e2e');
	/** @type {import('./servers.mjs').Session} */
	const session = JSON.parse(text);
	return {
		n8n: new N8nClient(session.n8nUrl, session.n8nSession),
		sandbox: new SandboxClient(session.sandboxUrl, session.apiKey),
		credential: session.credential,
	};
}
