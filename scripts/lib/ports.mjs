import { createServer } from 'node:net';

/**
 * @param {number} port 0 for any free one
 * @returns {Promise<number>} the port
 */
async function listenBriefly(port) {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = /** @type {import('node:net').AddressInfo} */ (server.address());
			server.close(() => resolve(address.port));
		});
	});
}

/** @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on at the moment */
export async function freePort() {
	return await listenBriefly(0);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether a server could listen there
 */
export async function isPortFree(port) {
	return await listenBriefly(port).then(
		() => true,
		() => false,
	);
}
