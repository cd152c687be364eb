import { inspect } from 'node:util';

/**
 * Lets the process that started this one call functions here: see Child in child.mjs.
 *
 * @param {Record<string, (argument: any) => unknown>} functions
 */
export function answerCalls(functions) {
	process.on(
		'message',
		async (/** @type {{ id: number, name: string, argument: unknown }} */ call) => {
			const { id, name, argument } = call;
			try {
				const answer = await functions[name]?.(argument);
				process.send?.({ id, answer });
			} catch (error) {
				process.send?.({ id, error: inspect(error) });
			}
		},
	);
}
