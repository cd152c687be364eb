/** @import { Question, Schema, Turn } from './chatModel.mjs' */

const RECORDS_SAID = 3;

const HELP = `I am a stand-in for a chat model, without intelligence. I need no key, and understand this much:

- What was paid last?
- Refund 5 of the last charge
- Refund 5 of (the ID of a charge)
- Link for order 1001: 2 x Repair at 12.50`;

/**
 * Answers the demo's agents in the place of a chat model: understands a few sentences, calls the tools for them, and
 * repeats what the tools say.
 *
 * @param {Question} question
 * @returns {Turn}
 */
export function answerOf({ messages, tools = [] }) {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const text = messages[asked]?.content ?? '';
	const results = messages.slice(asked).filter(({ role }) => role === 'tool');
	const [, amount] = /refund ([\d.]+)/i.exec(text) ?? [];
	const [, order, quantity, item, price] =
		/link for order (\S+): (\d+) x (.+) at ([\d.]+)/i.exec(text) ?? [];

	/** @param {string} tool @param {Record<string, unknown>} values of all that it may ask for, by name */
	const call = (tool, values) => {
		const schema = tools.find(({ function: { name } }) => name === tool)?.function.parameters;
		return schema ? [{ tool, input: filled(schema, values) }] : HELP;
	};

	if (results.length > 0) {
		const records = recordsOf(results.at(-1)?.content ?? '');
		const [charge = {}] = records;
		if (amount === undefined || results.length > 1 || charge['id'] === undefined)
			return `The tool says:\n\n${records.slice(0, RECORDS_SAID).map(lineOf).join('\n')}`;
		const { id: chargeId, refund_total: refundedBefore, payer_name, total, currency } = charge;
		const summary = `${payer_name ?? 'Someone'} paid ${total} ${currency}. The request was: ${text}`;
		return call('Refund_a_charge', { chargeId, amount, refundedBefore, summary });
	}
	if (order) return call('Create_a_link', { order, quantity: Number(quantity), item, price });
	if (!amount && !/paid/i.test(text)) return HELP;
	const [search = ''] = /[\da-f-]{36}/i.exec(text) ?? [];
	return call('Look_up_charges', { search });
}

/**
 * @param {string} content of a tool's result
 * @returns {Record<string, unknown>[]}
 */
function recordsOf(content) {
	try {
		return [JSON.parse(content)].flat();
	} catch {
		return [{ error: content }];
	}
}

/** @param {Record<string, unknown>} record */
const lineOf = ({ id, created, total, currency, payer_name, refund_total, url, ...others }) =>
	total
		? `- ${created}: ${total} ${currency} of ${payer_name ?? 'someone'}, ${refund_total} refunded. ${id}`
		: `- ${url ?? others['error'] ?? others['message'] ?? others['output']}`;

/**
 * @param {Schema} schema
 * @param {Record<string, unknown>} values
 * @returns {Record<string, unknown>} what the schema asks for; a tool with a review asks for it in two groups
 */
const filled = ({ properties = {} }, values) =>
	Object.fromEntries(
		Object.entries(properties).map(([name, inner]) => [
			name,
			inner.properties ? filled(inner, values) : values[name],
		]),
	);
