import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { atEnd } from '../lib/program.mjs';

const HOST = '127.0.0.1';

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A plain text as mail programs show it: with its addresses as links. @param {string} text */
const markupOf = (text) =>
	`<pre>${escaped(text).replace(/https?:\/\/\S+/g, '<a href="$&" target="_blank">$&</a>')}</pre>`;

/** What a mail holds may open links, and nothing else. @param {{ subject: string, to: string, html: string }} mail */
const letter = ({ subject, to, html }) => `<h2>${escaped(subject)}</h2><p>To ${escaped(to)}</p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escaped(html)}"></iframe>`;

/** @param {string} letters */
const page = (letters) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Mailbox</title>
<style>body { font: 16px sans-serif; max-width: 640px; margin: 2rem auto }
iframe { width: 100%; height: 22rem; border: 1px solid #ddd }</style></head>
<body><h1>Mailbox</h1>${letters || '<p>No mail yet.</p>'}</body></html>`;

/**
 * Starts a mail server that sends nothing on, and a page with its mails, the newest first. Both end with this program.
 *
 * @param {{ port?: number }} [options] port of the page: any free one by default
 */
export async function startMailbox({ port = 0 } = {}) {
	/** @type {Parameters<typeof letter>[0][]} */
	const mails = [];
	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData(stream, _session, callback) {
			const take = async () => {
				const { subject = '', to = [], ...body } = await PostalMime.parse(await buffer(stream));
				const html = body.html ?? markupOf(body.text ?? '');
				mails.push({ subject, to: to.map(({ address }) => address).join(), html });
			};
			take().then(() => callback(), callback);
		},
	});
	const web = fastify({ forceCloseConnections: true });
	web.get('/', (_request, reply) =>
		reply.type('text/html; charset=utf-8').send(page(mails.map(letter).reverse().join('\n'))),
	);
	const close = () => {
		smtp.close();
		void web.close();
	};
	atEnd(close);
	await once(smtp.listen(0, HOST), 'listening');
	const address = /** @type {import('node:net').AddressInfo} */ (smtp.server.address());
	return {
		url: await web.listen({ port, host: HOST }),
		smtp: { host: HOST, port: address.port },
		mails,
		close,
	};
}
