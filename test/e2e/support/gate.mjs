import { connect, createServer } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const LISTEN_TIMEOUT_MS = 30_000;
const LISTEN_AGAIN_MS = 100;

/**
 * An address that leads to a server for as long as the gate is open, and refuses connections while it is shut: the
 * service is down, and what it holds goes on changing.
 *
 * @param {string} target such as http://127.0.0.1:4010
 */
export async function openGate(target) {
	const { hostname, port: targetPort } = new URL(target);
	/** @type {Set<import('node:net').Socket>} */
	const sockets = new Set();
	const server = createServer((incoming) => {
		const outgoing = connect(Number(targetPort), hostname);
		for (const socket of [incoming, outgoing]) {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
		}
		incoming.on('error', () => outgoing.destroy()).pipe(outgoing);
		outgoing.on('error', () => incoming.destroy()).pipe(incoming);
	});

	/** @param {number} port */
	const listen = async (port) =>
		await new Promise((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, '127.0.0.1', () => {
				server.off('error', reject);
				resolve(undefined);
			});
		});
	const shut = async () => {
		if (!server.listening) return;
		const closed = new Promise((resolve) => server.close(resolve));
		for (const socket of sockets) socket.destroy();
		await closed;
	};

	await listen(0);
	after(shut);
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		shut,
		/** Opens it again, under the same address. */
		async open() {
			const deadline = Date.now() + LISTEN_TIMEOUT_MS;
			for (;;) {
				try {
					return await listen(port);
				} catch (error) {
					// Somebody may have got the port for a connection of their own in the meantime.
					if (Date.now() > deadline) throw error;
					await sleep(LISTEN_AGAIN_MS);
				}
			}
		},
	};
}
