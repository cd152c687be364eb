import generateCurrencies from '../generate/currencies.mjs';
import { moduleLoader } from '../compile/modules.mjs';
import { UserError } from '../lib/program.mjs';

const TRIGGER = 'nodes/PaymentCollectionTrigger';
const MODULES = [
	'cursor/cursor',
	'cursor/keySet',
	'cursor/stored',
	'list/chargeRow',
	'reading/knownCharges',
	'reading/standing',
	'../shared/timestamps',
];

/** @typedef {any} Cursor of cursor/cursor.ts */
/** @typedef {any} ChargeRow of list/chargeRow.ts */

/**
 * What a trigger's stored state knows of a charge. The trigger's own functions decide; here it is only said in words.
 *
 * @param {unknown} stored as in n8n's static data
 * @param {string} id of the charge
 * @param {unknown} record the charge as the service gives it, if it is at hand
 * @returns {Promise<string[]>} sentences
 */
export async function explanations(stored, id, record) {
	await generateCurrencies();
	const load = (await moduleLoader(MODULES.map((name) => `${TRIGGER}/${name}.ts`)))();
	/** @param {string} name */
	const core = (name) => load(`${TRIGGER}/${name}`);
	/** @type {{ cursor: Cursor } | undefined} */
	const state = core('cursor/stored').readStored(stored);
	if (state === undefined) {
		throw new UserError(
			'The state can’t be read: it was damaged, or is that of another version of the trigger',
		);
	}
	const { cursor } = state;
	/** @type {ChargeRow | undefined} */
	const row = record === undefined ? undefined : core('list/chargeRow').readChargeRow(record);
	if (record !== undefined && row?.id !== id) {
		throw new UserError(
			row === undefined
				? 'The row has no id, or no creation time that can be read: the trigger passes it over until it has'
				: `The row is that of the charge ${row.id}`,
		);
	}
	const isKnown = new (core('reading/knownCharges').KnownCharges)(cursor).has(
		core('cursor/keySet').keyOf(id),
	);
	return [
		...ofState(cursor, row, core),
		...(isKnown ? [KNOWN] : ofUnknown(cursor, row, core)),
		...ofWatch(cursor, row),
	];
}

const KNOWN =
	'The charge was looked at: it was told, or it was there when the trigger began, or Events or the Status filter leave it out. It is not told as created again.';

/** @param {string} instant */
const utc = (instant) => `${instant.replace('T', ' ')} UTC`;

/** @param {number} count */
const rows = (count) => (count === 1 ? '1 row' : `${count} rows`);

/**
 * @param {Cursor} cursor
 * @param {ChargeRow | undefined} row
 * @param {(name: string) => any} core
 */
function ofState({ polledAt, filters, account }, row, core) {
	const { currency, isOtherwiseWhole } = filters;
	const others = isOtherwiseWhole
		? 'not by Customer, Type or Search'
		: 'by Customer, Type or Search (the state holds no more than a hash of them)';
	const sentences = [
		`The state was left by a poll at ${utc(polledAt)}, for the credential with the fingerprint ${account}. Later polls without items may have found out more: n8n saves their state with the next items.`,
		`The list is filtered ${currency === undefined ? 'by no Currency' : `by the Currency ${currency}`}, and ${others}.`,
	];
	if (row !== undefined && !core('reading/standing').isIn(row, currency)) {
		sentences.push('The charge is in another currency, so this list does not hold it.');
	}
	return sentences;
}

/**
 * @param {Cursor} cursor
 * @param {ChargeRow | undefined} row
 * @param {(name: string) => any} core
 */
function ofUnknown(cursor, row, core) {
	const { isInBacklog, rememberedSince, standingOf } = core('reading/standing');
	const since = rememberedSince(cursor);
	const isAll = since === core('../shared/timestamps').EARLIEST;
	const sentences = [
		`The charge is not among those that are remembered: ${isAll ? 'all that were looked at' : `all that were looked at and created at or after ${utc(since)}`}.`,
	];
	if (row !== undefined) {
		const standing = isInBacklog(row, cursor) ? 'inBacklog' : standingOf(row, cursor, 'anywhere');
		sentences.push(`It was created at ${utc(row.created)}. ${meaningOf(standing, cursor)}`);
	} else if (!isAll) {
		sentences.push(
			'If it was created before that, nobody can tell whether it was told, and it counts as too old. With --row more can be said.',
		);
	}
	return [...sentences, ...ofUnread(cursor, core('cursor/cursor').SET_ASIDE)];
}

/**
 * @param {string} standing of reading/standing.ts
 * @param {Cursor} cursor
 */
function meaningOf(standing, { silence, notBefore }) {
	switch (standing) {
		case 'new':
			return 'No page that was read has shown it yet, or it had to wait for a poll with room: the poll that sees it next tells it, if Events and the Status filter let it through.';
		case 'beforeStartDate':
			return `That is before the Start Date, ${utc(notBefore)}: it is never told.`;
		case 'beforeWindow':
			return 'If it was told, that is no longer remembered. If it shows only now, it shows too late to be told: Lookback says how late it may.';
		case 'inBacklog':
			return 'It belongs to the backlog that is being told: it follows with the next polls.';
		case 'afterBacklog':
			return 'Older ones that had to wait for want of room are told first: it follows with the next polls.';
		case 'wasThere':
			return `The first reading of the list (since the trigger began, or its filters changed) is not over: what was created up to ${utc(silence.upTo)} counts as having been there, and is not told unless the list’s count shows that it came in later.`;
		case 'undecided':
			return 'Whether it came in since the trigger began shows when the unread rows were read.';
		default:
			throw new Error(`Nothing is said of "${standing}"`);
	}
}

/**
 * @param {Cursor} cursor
 * @param {number} setAside failures
 */
function ofUnread({ unread, owed, walk }, setAside) {
	const sentences = unread.map(({ from, to, since, backlog, failures }) => {
		const places = to - from === 1 ? `number ${from}` : `numbers ${from} to ${to - 1}`;
		const which = `${rows(to - from)}, ${places} from the list’s old end`;
		const why =
			failures >= setAside
				? `Could not be read so far: ${which} (a page that fails, or no id or date); each poll tries again.`
				: `Still to be read: ${which}.`;
		const condition = backlog === undefined ? ` and was created at or after ${utc(since)}` : '';
		return `${why} If the charge is among them${condition}, it is told then.`;
	});
	if (owed > 0) {
		sentences.push(
			`By the list’s count, ${rows(owed)} came in that were not found yet: they are looked for, first in the lookback.`,
		);
	}
	if (walk !== undefined) {
		sentences.push('A walk over the list is under way, and goes on with the next poll.');
	}
	return sentences;
}

/**
 * @param {Cursor} cursor
 * @param {ChargeRow | undefined} row
 */
function ofWatch({ watch }, row) {
	if (watch === undefined) return ['Refunds and changes of status are not watched for.'];
	const { from, isComplete } = watch;
	if (row !== undefined && row.created < from) {
		return [
			`It is too old to be watched for refunds and changes of status: those created at or after ${utc(from)} are.`,
		];
	}
	const round = isComplete ? '' : ' Not all of them were looked at yet since that began.';
	return [
		`Charges created at or after ${utc(from)} are watched for refunds and changes of status.${round}`,
	];
}
