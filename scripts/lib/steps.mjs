import { start } from './process.mjs';
import { isStopping } from './program.mjs';
import { duration } from './progress.mjs';

/**
 * What a step came to. A step of many tests counts them all, any other step counts as one.
 *
 * @typedef {{ passed: number, failed: number, problem?: string }} Outcome
 */

const HEARTBEAT_MS = 20_000;

/** Runs the steps of a check, says plainly how each one went, and adds up. */
export class Steps {
	#passed = 0;
	#failed = 0;
	/** @type {Set<string>} */
	#running = new Set();
	#heartbeat = setInterval(() => {
		if (this.#running.size > 0) console.log(`… running: ${[...this.#running].join(', ')}`);
	}, HEARTBEAT_MS);

	/**
	 * @param {string} name
	 * @param {() => Promise<Outcome | void>} work throws, or gives an outcome; nothing means that it passed
	 * @returns {Promise<boolean>} whether it passed
	 */
	async run(name, work) {
		const started = Date.now();
		this.#running.add(name);
		/** @type {Outcome} */
		let outcome;
		try {
			outcome = (await work()) ?? { passed: 1, failed: 0 };
		} catch (error) {
			outcome = {
				passed: 0,
				failed: 1,
				problem: error instanceof Error ? error.message : String(error),
			};
		}
		this.#running.delete(name);
		// Cut short by a signal: what it came to says nothing.
		if (isStopping()) return false;
		this.#passed += outcome.passed;
		this.#failed += outcome.failed;
		const took = duration(Date.now() - started);
		const counts =
			outcome.passed + outcome.failed === 1
				? ''
				: `${outcome.passed} passed, ${outcome.failed} failed, `;
		if (outcome.failed === 0) {
			console.log(`ok      ${name} (${counts}${took})`);
			return true;
		}
		console.log(`FAILED  ${name} (${counts}${took})\n${indent(outcome.problem ?? '')}`);
		return false;
	}

	/**
	 * Closes with the line that other scripts add up.
	 *
	 * @returns {number} the exit code
	 */
	close() {
		clearInterval(this.#heartbeat);
		console.log(`${this.#passed} passed, ${this.#failed} failed`);
		return this.#failed === 0 ? 0 : 1;
	}
}

/** @param {string} text */
function indent(text) {
	return text.trim().replaceAll(/^/gm, '        ');
}

/**
 * Runs a script with this Node and throws what it printed when it fails.
 *
 * @param {string[]} args the script and its arguments
 * @param {{ cwd: string }} options
 */
export async function runNode(args, { cwd }) {
	let printed = '';
	const { ended } = start(process.execPath, args, { cwd, onOutput: (text) => (printed += text) });
	const exitCode = await ended;
	if (exitCode !== 0) throw new Error(printed.trim() || `exit code ${exitCode}`);
}
