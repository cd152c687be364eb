/**
 * Checks every link of the documents, offline: links inside of the repository lead to a file, and to a heading that
 * it has; links to the outside are well formed and go over https.
 */

import remarkValidateLinks from 'remark-validate-links';
import { visit } from 'unist-util-visit';

/** Kinds of nodes that have an address. */
const LINKS = ['link', 'image', 'definition'];

const isOutside = (url) => /^([a-z][a-z\d+.-]*:|\/\/)/i.test(url);

function outsideLinks() {
	return (tree, file) => {
		visit(tree, LINKS, (node) => {
			if (!isOutside(node.url)) return;
			if (!URL.canParse(node.url) || new URL(node.url).protocol !== 'https:') {
				file.message(`${node.url} must be a whole address that begins with https://`, node);
			}
		});
	};
}

export default {
	plugins: [
		// Named here, since a clone may have any remote, or none: links to the repository's own pages are then checked too.
		[
			remarkValidateLinks,
			{ repository: 'n8n-nodes-payment-collection/n8n-nodes-payment-collection' },
		],
		outsideLinks,
	],
};
