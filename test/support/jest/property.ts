import fc from 'fast-check';

/**
 * fast-check as the tests use it: the same cases in every run. A failure shows its seed and path: `SEED=7 FC_PATH=0:1 npx
 * jest property` goes straight to that case. Another `SEED` alone looks elsewhere.
 */

const { SEED = '20250115', FC_PATH } = process.env;

// A variable, which may have fields that the type of the global settings lacks, although they work globally.
const settings = {
	seed: Number(SEED),
	...(FC_PATH !== undefined && { path: FC_PATH, endOnFailure: true }),
};
beforeAll(() => fc.configureGlobal(settings));
// Files of one process share fast-check, and the trigger's searches report in a way of their own.
afterAll(() => fc.resetConfigureGlobal());

/** A test of what holds for all values. */
export const property = <Values extends [unknown, ...unknown[]]>(
	title: string,
	values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
	check: (...values: Values) => Promise<void> | void,
	parameters?: fc.Parameters<Values>,
): void =>
	it(title, async () => {
		const holds = fc.asyncProperty<Values>(...values, async (...each) => await check(...each));
		await fc.assert(holds, parameters);
	});

export default fc;
