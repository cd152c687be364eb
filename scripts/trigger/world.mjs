import generateCurrencies from '../generate/currencies.mjs';
import { moduleLoader } from '../compile/modules.mjs';

const TRIGGER = 'nodes/PaymentCollectionTrigger';
const NODE = `${TRIGGER}/PaymentCollectionTrigger.node`;
const CLOCK = 'nodes/shared/clock';
const BUDGETS = `${TRIGGER}/state/datedKeys`;
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
		budgets: budgets.budgets,
		process: startProcess(),
		startProcess,
	};
	return { subject, modules: (name) => loaded(`${WORLD}/${name}`) };
}
