/**
 * The list of every message that the nodes can print, and the table of answers to a write, from the sources.
 * `npm run docs` writes them.
 */

import { join } from 'node:path';

import { filesBelow } from '../lib/folders.mjs';
import { MESSAGE_SOURCES } from './messageSources.mjs';
import { moduleLoader } from '../compile/modules.mjs';
import { table } from './pages.mjs';
import { ROOT } from '../lib/project.mjs';
import { thrownMessages } from './thrownMessages.mjs';

const {
	rules: RULES,
	credentialTest: TEST,
	outcomes: OUTCOMES,
	writes: WRITES,
	refunds: REFUNDS,
} = MESSAGE_SOURCES;

/** Stands for whatever a message is about, by its name: "‹id›". */
const facts = new Proxy({}, { get: (_, name) => `‹${String(name)}›` });

/** A failed request of which everything is known that its messages name. */
const FAILURE = {
	kind: 'network',
	request: 'GET /v1/links/{id}',
	isWrite: false,
	detail: '‹what came›',
	attempts: 1,
	notExecuted: false,
};

/** @param {Record<string, any>} kinds */
const kindsTable = (kinds) =>
	table(
		['Message', 'Cause', 'What to do'],
		Object.values(kinds).map(({ message, cause, cure }) => [message(facts), cause, cure(facts)]),
	);

/** Causes after which a write was certainly not carried out. */
const CERTAIN = /^(HTTP 4(?!08)|Any other status|No connection)/;

/** @param {any[]} rules */
function failuresTable(rules) {
	return table(
		['Message', 'Cause', 'What to do after a read', 'What to do after a write'],
		rules.map(({ cause, message, advice }) => [
			message(FAILURE),
			cause,
			advice(FAILURE),
			advice({ ...FAILURE, isWrite: true, notExecuted: CERTAIN.test(cause) }),
		]),
	);
}

/** @param {any[]} rules */
const testTable = (rules) =>
	table(
		['Cause', 'What the test says'],
		rules.map(({ cause, text }) => [cause, text({ ...FAILURE, serviceMessage: '‹what it says›' })]),
	);

const SAID = {
	carriedOut: 'Done',
	notCarriedOut: '**NOT** done',
	unknown: '**UNKNOWN**: check before you retry',
};

/** @param {any[]} rules */
const outcomesTable = (rules) =>
	table(
		['What comes back', 'What the node says of the write', 'Why'],
		rules.map(({ answer, outcome, because }) => [
			answer,
			SAID[/** @type {keyof typeof SAID} */ (outcome)],
			because,
		]),
	);

/** Where the messages that stand in the code itself are shown: by the path of the file that throws them. */
const PLACES = [
	{ heading: 'Payment Collection Trigger', path: /^nodes\/PaymentCollectionTrigger\// },
	{
		heading: 'Credential',
		path: /^(credentials\/|nodes\/shared\/(?:service\/)?credential)/i,
	},
	{ heading: 'Values that are refused before anything is sent, and lists', path: /./ },
];

/**
 * @param {import('./thrownMessages.mjs').ThrownMessage[]} messages
 */
function thrownTables(messages) {
	const left = new Set(messages.filter(({ isWarning }) => !isWarning));
	const warnings = messages.flatMap(({ isWarning, text }) => (isWarning ? [text] : []));
	const tables = PLACES.flatMap(({ heading, path }) => {
		const here = [...left].filter((one) => path.test(one.file));
		for (const one of here) left.delete(one);
		if (here.length === 0) return [];
		// Several places may throw the same.
		const rows = new Map(here.map(({ text, advice }) => [`${text}\n${advice}`, [text, advice]]));
		const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
		return [
			`## ${heading}`,
			table(
				['Message', 'What to do'],
				sorted.map(([, row]) => row),
			),
		];
	});
	const listed = [...new Set(warnings)].sort().map((text) => `- ${text}`);
	return [...tables, '## Warnings beside a result or in n8n’s log', listed.join('\n')];
}

/** @returns {Promise<{ page: string, answers: string }>} the page of messages, and the table of answers to a write */
export async function messagePages() {
	const load = await moduleLoader(
		[RULES, TEST, OUTCOMES, WRITES, REFUNDS].map((path) => `${path}.ts`),
	);
	const source = load();
	const { WRITE_MESSAGES, KEY_MESSAGES } = source(WRITES);
	const files = [];
	for (const folder of ['nodes', 'credentials']) {
		for (const name of await filesBelow(join(ROOT, folder))) files.push(`${folder}/${name}`);
	}
	const thrown = await thrownMessages(files.filter((name) => name.endsWith('.ts')).sort());
	const page = [
		'# Messages',
		'What the nodes print when something goes wrong, when, and what to do. ‹…› stands for a value. An error shows the message first and what to do below it; where there are several items, what to do begins with the item it is about: “Item 3 of 5”. What the service says of its own stands in place of the message. What may be said of a write, and why, is in [Writes](writes.md#what-is-said-of-a-write).',
		'When an item of several fails the node (On Error: Stop), its error also says what was done for the others: “Done before this error” names everything that was created, updated, deleted or refunded, “Also failed” the items that went wrong at the same time, and “Not sent” those for which nothing was sent.',
		'## Answers of the service',
		failuresTable(source(RULES).FAILURE_RULES),
		'## Creating, updating and deleting links',
		kindsTable(WRITE_MESSAGES),
		'## Refunds',
		'What goes wrong with a refund’s values or charge before it is sent ends in “NOT refunded”. What is wrong with the node or its credential itself is said as for any other operation: “Nothing was sent.”',
		kindsTable(source(REFUNDS).REFUND_MESSAGES),
		'## Idempotency Key',
		kindsTable(KEY_MESSAGES),
		'## The credential’s test',
		'What n8n shows when the credential is saved or tested: what happened, then what to do. What is wrong with the fields themselves stands under Credential.',
		testTable(source(TEST).CREDENTIAL_TEST_RULES),
		...thrownTables(thrown),
	].join('\n\n');
	return { page, answers: outcomesTable(source(OUTCOMES).ANSWER_RULES) };
}
