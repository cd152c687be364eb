import { existsSync } from 'node:fs';
import { join } from 'node:path';

import generateCurrencies from '../generate/currencies.mjs';
import { moduleLoader } from '../compile/modules.mjs';
import { ROOT } from '../lib/project.mjs';

const TRIGGER = 'nodes/PaymentCollectionTrigger';
const NODE = `${TRIGGER}/PaymentCollectionTrigger.node`;
const CLOCK = 'nodes/shared/clock';
const BUDGETS = existsSync(join(ROOT, `${TRIGGER}/budgets.ts`))
	? `${TRIGGER}/budgets`
	: `${TRIGGER}/cursor/budgets`;
const WORLD = 'test/trigger/world';

/**
 * The trigger of the sources for the model of test/trigger/world, and modules of that model.
 *
 * @param {...string} names of the model's modules
 * @returns {Promise<{ subject: object, modules: (name: string) => any }>}
 */
export async function loadSubject(...names) {
	await generateCurrencies();
	const files = names.map((name) => `${WORLD}/${name}.ts`);
	const load = await moduleLoader([`${NODE}.ts`, `${CLOCK}.ts`, `${BUDGETS}.ts`, ...files]);
	const loaded = load();
	const [clock, budgets] = [loaded(CLOCK), loaded(BUDGETS)];
	const startProcess = () => {
		const { PaymentCollectionTrigger } = load({ [CLOCK]: clock, [BUDGETS]: budgets })(NODE);
		const node = new PaymentCollectionTrigger();
		return (/** @type {unknown} */ context) => node.poll.call(context);
	};
	const subject = {
		clock: clock.clock,
		budgets: 'known' in budgets.budgets ? inCharacters(budgets.budgets) : budgets.budgets,
		process: startProcess(),
		startProcess,
	};
	return { subject, modules: (name) => loaded(`${WORLD}/${name}`) };
}

/**
 * Until the trigger counts keys: it counts their characters.
 *
 * @param {any} budgets
 */
function inCharacters(budgets) {
	const usual = structuredClone(budgets);
	return {
		recentKeys: 1_000,
		factKeys: 4_000,
		get knownKeys() {
			return 8_000;
		},
		set knownKeys(/** @type {number} */ keys) {
			const isUsual = keys === 8_000;
			const share = (keys * 26) / usual.known.most;
			for (const name of ['known', 'facts']) {
				const { most, enough } = usual[name];
				budgets[name] = isUsual
					? { most, enough }
					: { most: Math.ceil(most * share), enough: Math.ceil(enough * share) };
			}
			budgets.recent = isUsual ? usual.recent : Math.ceil(keys / 4);
		},
	};
}
