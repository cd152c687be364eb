import { relative } from 'node:path';

import fc from 'fast-check';

/**
 * fast-check as the tests use it: the same cases in every run, and a failure says how to see it again. `SEED=7 npx
 * jest property` looks elsewhere; `FC_PATH` goes straight to one case.
 */

const { SEED = '20250115', FC_PATH } = process.env;

function tellHowToRepeat<Values>(details: fc.RunDetails<Values>): void {
	if (!details.failed) return;
	const { testPath = '', currentTestName = '' } = expect.getState();
	const environment = [`SEED=${details.seed}`];
	if (details.counterexamplePath !== null)
		environment.push(`FC_PATH=${details.counterexamplePath}`);
	const command = [
		...environment,
		`npx jest ${relative(process.cwd(), testPath)}`,
		`-t ${JSON.stringify(currentTestName)}`,
	].join(' ');
	throw new Error(
		`${fc.defaultReportMessage(details) ?? 'The property failed'}\n\nRepeat it with: ${command}`,
		{ cause: details.errorInstance },
	);
}

// A variable, since the type of the settings for all properties leaves out what one property may have and all may, too.
const settings = {
	seed: Number(SEED),
	...(FC_PATH !== undefined && { path: FC_PATH, endOnFailure: true }),
	plugins: [() => ({ onAllRunsComplete: tellHowToRepeat })],
};
beforeAll(() => fc.configureGlobal(settings));
// Files of one process share fast-check, and the trigger's searches report in a way of their own.
afterAll(() => fc.resetConfigureGlobal());

export default fc;
