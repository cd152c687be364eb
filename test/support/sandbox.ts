import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

/** That of the file that asks for one, as at its start for each of its tests. */
export let sandbox: Sandbox;

export function useSandbox(options: SandboxOptions): void {
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => sandbox.close());
}
