import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { markup, sendPage } from '../lib/sandbox.mjs';

/**
 * @typedef {{ subject: string, to: string, html: string, time: Date, decision?: string }} Mail
 *   decision: the first one that was clicked in it
 */

const HOST = '127.0.0.1';
/** A link of n8n that approves or declines. */
const DECISION = /href="([^"]*[?&;]approved=(true|false)[^"]*)"/g;

/**
 * Starts a mail server that sends nothing on, and a page with its mails, the newest first.
 *
 * @param {object} [options]
 * @param {number} [options.port] port of the page: any free one by default
 * @param {() => import('../../sandbox/html.js').Page} [options.startPage] shown at the port's root
 */
export async function startMailbox({ port = 0, startPage } = {}) {
	/** @type {Mail[]} */
	const mails = [];
	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData(stream, _session, callback) {
			const take = async () => {
				const {
					subject = '',
					to = [],
					text = '',
					...mail
				} = await PostalMime.parse(await buffer(stream));
				// Mail programs show the addresses in a plain text as links.
				const plain = markup`<pre>${text}</pre>`.text.replace(
					/https?:\/\/[^\s<]+/g,
					'<a href="$&" target="_blank">$&</a>',
				);
				const html = mail.html ?? plain;
				const time = new Date();
				mails.push({ subject, to: to.map(({ address }) => address).join(), html, time });
			};
			take().then(() => callback(), callback);
		},
	});
	const web = fastify({ forceCloseConnections: true });
	// Another site whose name leads here must not read the mails and the password.
	web.addHook('onRequest', async ({ hostname }, reply) => {
		if (![HOST, 'localhost'].includes(hostname))
			return reply.code(403).send('Only on this machine');
	});
	if (startPage) web.get('/', async (_request, reply) => sendPage(reply, startPage()));
	web.get('/mail', async (_request, reply) => {
		// Content of a mail can open links, and nothing else. Decisions go through this page, which then shows them.
		const letters = mails.map(({ subject, to, html, time, decision }, index) => {
			const content = html.replace(
				DECISION,
				(_link, _url, approved) => `href="${url}/mail/${index}/${approved}"`,
			);
			return markup`<article><h2>${subject}</h2><p>To ${to}, ${time.toLocaleString()}</p>${decision && markup`<mark>${decision}</mark>`}
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${content}"></iframe></article>`;
		});
		const body = markup`${letters.length > 0 ? letters.reverse() : 'No mail yet.'}`;
		return sendPage(reply, { title: 'Mailbox', body, narrow: true, refresh: 5 });
	});
	web.get('/mail/:index/:approved', async ({ params }, reply) => {
		const { index, approved } = /** @type {Record<string, string>} */ (params);
		const mail = mails[Number(index)];
		const links = [...(mail?.html.matchAll(DECISION) ?? [])];
		const [, link] = links.find(([, , value]) => value === approved) ?? [];
		if (!mail || !link) return reply.callNotFound();
		mail.decision ??= `${approved === 'true' ? 'Approved' : 'Declined'} at ${new Date().toLocaleTimeString()}`;
		return reply.redirect(link.replaceAll('&amp;', '&'));
	});
	const close = () => {
		smtp.close();
		void web.close();
	};
	await once(smtp.listen(0, HOST), 'listening');
	const address = /** @type {import('node:net').AddressInfo} */ (smtp.server.address());
	const url = await web.listen({ port, host: HOST });
	return { url: `${url}/mail`, smtp: { host: HOST, port: address.port }, mails, close };
}
