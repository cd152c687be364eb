import fastify from 'fastify';

/**
 * A chat model's next turn: it says something, or it calls tools.
 *
 * @typedef {{ tool: string, input: Record<string, unknown> }} ToolCall
 *
 * @typedef {string | ToolCall[]} Turn
 *
 * @typedef {{ role: string, content: string }} Message
 *
 * @typedef {{ properties?: Record<string, Schema>, description?: string }} Schema
 *
 * @typedef {{ messages: Message[], tools?: { function: { name: string, parameters: Schema } }[] }} Question
 */

/**
 * Starts a chat model on 127.0.0.1, at an address that speaks as OpenAI's does.
 *
 * @param {(question: Question) => Turn} answer
 */
export async function startChatModel(answer) {
	let count = 0;
	const app = fastify({ forceCloseConnections: true });
	// n8n's Agents try OpenAI's newer way first, and this one where it is not there.
	app.post('/chat/completions', ({ body }, reply) => {
		const question = /** @type {Question & { model: string, stream?: boolean }} */ (body);
		const turn = answer(question);
		const id = `${++count}`;
		const isText = typeof turn === 'string';
		const tool_calls = isText
			? undefined
			: turn.map(({ tool, input }, index) => ({
					index,
					id: `call_${id}_${index}`,
					type: 'function',
					function: { name: tool, arguments: JSON.stringify(input) },
				}));
		const message = { role: 'assistant', content: isText ? turn : null, tool_calls };
		const finish_reason = isText ? 'stop' : 'tool_calls';
		const data = { id, created: 0, model: question.model };
		if (question.stream) {
			const choices = [{ index: 0, delta: message, finish_reason }];
			const chunk = { ...data, object: 'chat.completion.chunk', choices };
			reply.type('text/event-stream');
			return reply.send(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
		}
		const choices = [{ index: 0, message, finish_reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		return reply.send({ ...data, object: 'chat.completion', choices, usage });
	});
	return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => void app.close() };
}
