import { fileURLToPath } from 'node:url';

import { execa } from 'execa';

import { killGroup } from '../../scripts/lib/group.mjs';
import { atEnd } from '../../scripts/lib/program.mjs';

const END_WITH_PARENT = fileURLToPath(
	new URL('../../scripts/lib/endWithParent.cjs', import.meta.url),
);

/** A process of the bench whose functions can be called. It ends with this program at the latest. */
export class Child {
	#process;
	#takeBack;
	#lastId = 0;
	/** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
	#calls = new Map();

	/**
	 * @param {string} node path of the Node to run it with
	 * @param {string} script
	 * @param {{ flags?: string[], env?: Record<string, string> }} [options] flags: Node's own
	 */
	constructor(node, script, { flags = [], env = {} } = {}) {
		this.#process = execa(node, ['--require', END_WITH_PARENT, ...flags, script], {
			env,
			ipc: true,
			stdin: 'ignore',
			stdout: 'inherit',
			stderr: 'inherit',
			buffer: false,
			reject: false,
			// A group of its own: Ctrl-C in the terminal is for this program, which then ends the child.
			detached: true,
		});
		this.#takeBack = atEnd(() => this.stop());
		this.#process.on('message', (/** @type {any} */ { id, answer, error }) => {
			const call = this.#calls.get(id);
			this.#calls.delete(id);
			if (error === undefined) call?.resolve(answer);
			else call?.reject(new Error(error));
		});
		void this.#process.then(({ exitCode, signal }) => {
			const ended = new Error(`${script} ended (${signal ?? exitCode})`);
			for (const { reject } of this.#calls.values()) reject(ended);
		});
	}

	/**
	 * @param {string} name of a function that the process gave to answerCalls
	 * @param {unknown} [argument]
	 * @returns {Promise<any>}
	 */
	async call(name, argument) {
		const id = ++this.#lastId;
		return await new Promise((resolve, reject) => {
			this.#calls.set(id, { resolve, reject });
			this.#process.sendMessage({ id, name, argument }).catch(reject);
		});
	}

	async stop() {
		this.#takeBack();
		killGroup(this.#process.pid);
		await this.#process;
	}
}
