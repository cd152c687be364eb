import { createServer } from 'node:http';

/**
 * What a chat model does next: it says something, or it calls tools.
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
	const server = createServer(async (request, response) => {
		// n8n's Agents try OpenAI's newer way first, and this one where it is not there.
		if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end();
		let body = '';
		for await (const part of request) body += part;
		const question = JSON.parse(body);
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
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const choices = [{ index: 0, delta: message, finish_reason }];
			const chunk = { ...data, object: 'chat.completion.chunk', choices };
			response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
			return;
		}
		const choices = [{ index: 0, message, finish_reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...data, object: 'chat.completion', choices, usage }));
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
