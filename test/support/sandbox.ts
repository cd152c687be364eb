import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

/** Reset before each test of the file that calls useSandbox. */
export let sandbox: Sandbox;

export function useSandbox(options: SandboxOptions): void {
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => sandbox.close());
}
