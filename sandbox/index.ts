import type { AddressInfo } from 'node:net';
import { buildApp } from './app';
import { MINUTE_MS } from './data/world';
import { Service, type ServiceOptions } from './service';

export { ServiceError } from './errors';
export type { FaultAction } from './faults';
export { DEFAULT_COUNTS, DEMO_API_KEY } from './service';
export type { Switches } from './switches';

const DEFAULT_HOST = '127.0.0.1';
const CHARGES_PER_CUSTOMER = 4;

export interface SandboxOptions extends ServiceOptions {
	/** 0, the default, takes any free port. */
	port?: number;
	/** 127.0.0.1 by default. */
	host?: string;
	/** New charges that keep arriving, none by default, and with every fourth of them a new customer. */
	chargesPerMinute?: number;
}

/** A running sandbox. */
export type Sandbox = Service & { close(): Promise<void> };

/** Starts the payment service of docs/service.md on a real port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = DEFAULT_HOST, chargesPerMinute = 0 } = options;
	const service = new Service(options);
	const app = buildApp(service);
	await app.listen({ port, host });
	// Records carry the sandbox's address, and its port is known only now.
	service.url = addressOf(app.server.address() as AddressInfo, host);
	service.reset();
	const arrive = (): void => {
		service.insertCharge();
		if (service.store.charges.size % CHARGES_PER_CUSTOMER === 0) service.insertCustomer();
	};
	const arrivals =
		chargesPerMinute > 0 ? setInterval(arrive, MINUTE_MS / chargesPerMinute).unref() : undefined;
	return Object.assign(service, {
		close: async () => {
			clearInterval(arrivals);
			await app.close();
		},
	});
}

function addressOf({ port }: AddressInfo, host: string): string {
	const name = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host;
	return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
