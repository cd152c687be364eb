import generateCurrencies from '../generate/currencies.mjs';
import { moduleLoader } from '../compile/modules.mjs';

const NODE = 'nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
const CLOCK = 'nodes/shared/clock';
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
	const load = await moduleLoader([`${NODE}.ts`, `${CLOCK}.ts`, ...files]);
	const loaded = load();
	const clock = loaded(CLOCK);
	const startProcess = () => {
		const { PaymentCollectionTrigger } = load({ [CLOCK]: clock })(NODE);
		const node = new PaymentCollectionTrigger();
		return (/** @type {unknown} */ context) => node.poll.call(context);
	};
	const subject = { clock: clock.clock, poll: startProcess(), startProcess };
	return { subject, modules: (name) => loaded(`${WORLD}/${name}`) };
}
