import { createPoller, type Poller } from '../../test/support/engine/poller';

import { ourCredential, ourTrigger } from './nodeFiles';

/** The trigger in n8n's engine, polling a service in which nothing happens. */

const pollers = new Map<string, Poller>();

async function pollerOf(baseUrl: string, apiKey: string): Promise<Poller> {
	const known = pollers.get(baseUrl);
	if (known !== undefined) return known;
	const poller = createPoller({
		nodeType: ourTrigger(),
		credentials: { baseUrl, apiKey },
		credentialType: ourCredential(),
	});
	pollers.set(baseUrl, poller);
	await checked(poller.activate());
	return poller;
}

async function checked(poll: ReturnType<Poller['tick']>): Promise<void> {
	const { error, items } = await poll;
	if (error !== undefined) throw error;
	if (items !== null) throw new Error('An idle poll told something');
}

/** Activates the trigger, unless it is so already. */
export async function startTrigger(job: { baseUrl: string; apiKey: string }): Promise<object> {
	await pollerOf(job.baseUrl, job.apiKey);
	return {};
}

export async function poll(job: {
	baseUrl: string;
	apiKey: string;
	polls: number;
}): Promise<object> {
	const poller = await pollerOf(job.baseUrl, job.apiKey);
	for (let done = 0; done < job.polls; done++) await checked(poller.tick());
	return {};
}
