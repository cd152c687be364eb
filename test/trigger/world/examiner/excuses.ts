import type { Settings } from '../schedule';
import { writtenMs, type Charge } from '../service/charge';
import { growsWithList } from '../service/traits';
import type { Service } from '../service/service';
import { MINUTE_MS, SECOND_MS } from '../time';

/** A start of the trigger: the first one, or one after a change of filters, key or base URL. */
export interface Beginning {
	/** Charges created up to this time and listed up to this sequence number were there before. */
	upToMs: number;
	readonly sequence: number;
	/** The service's sequence number when the start was over. */
	overSequence: number;
	/** True if the trigger knew nothing of the list. */
	readonly learns: boolean;
	/** The least by which the host's clock was ahead during the start. */
	hostErrorMs: number;
}

/** A clock that is further ahead is wrong. */
export const MOST_AHEAD_MS = 15 * MINUTE_MS;

interface Case {
	readonly service: Service;
	readonly settings: Settings;
	readonly beginnings: readonly Beginning[];
	/** Number of charges that the trigger can remember; 0 for more than exist. */
	readonly keys: number;
}

/** A case of docs/trigger.md, What is not guaranteed, in other words. The examiner excuses more: see isNeverShown and kind 'free'. */
type Excuse = (charge: Charge, of: Case) => boolean;

const lookbackMs = ({ lookbackMinutes }: Settings): number =>
	lookbackMinutes * MINUTE_MS - SECOND_MS; // A second less, since timestamps may have no fraction.

/** A charge that appears more than the Lookback after its `created` time. */
const showsTooLate: Excuse = (charge, { service, settings, beginnings: [first] }) =>
	charge.shownSequence > (first?.sequence ?? 0) &&
	charge.shownAt - writtenMs(charge, service.traits) > lookbackMs(settings);

/** A charge that can’t be read for longer than the Lookback. */
const isUnreadableForLong: Excuse = (charge, { service, settings }) =>
	charge.readableAt > charge.shownAt &&
	charge.readableAt - writtenMs(charge, service.traits) > lookbackMs(settings);

/** A charge on a page that fails for longer than a day. */
const failsForLong: Excuse = ({ shownAt }, { service: { longFailures } }) =>
	longFailures.some(({ to }) => shownAt <= to);

/** A charge from before the start, or dated ahead of n8n's clock, that appears only while the trigger starts. */
const showsWhileBeginning: Excuse = (charge, { service, beginnings }) => {
	const { order } = service.traits;
	const lateMs = charge.shownAt - writtenMs(charge, service.traits);
	// A slow clock takes all charges as dated ahead. The start misses only those that are not at the new end.
	const mayHide = (errorMs: number) =>
		lateMs < 0 ||
		lateMs >= SECOND_MS ||
		!['newest', 'oldest'].includes(order) ||
		// All dates look wrong to such a slow clock.
		errorMs < -MOST_AHEAD_MS;
	return beginnings.some(({ sequence, overSequence, upToMs, hostErrorMs }) => {
		const isShown = charge.shownSequence > sequence && charge.shownSequence <= overSequence;
		const isAhead = lateMs + hostErrorMs < 0 && mayHide(hostErrorMs);
		return isShown && (isAhead || charge.shownAt - lateMs <= upToMs);
	});
};

/** A charge that appears late, while more than `keys` charges (usually about 8,000) are within the Lookback. */
const isLateAmongTooMany: Excuse = (charge, { service, settings, keys }) => {
	const isNear = (other: Charge): boolean =>
		Math.abs(other.shownAt - charge.shownAt) <= 2 * lookbackMs(settings);
	const isLate = charge.shownAt - writtenMs(charge, service.traits) >= SECOND_MS;
	return keys > 0 && isLate && service.charges.filter(isNear).length > keys;
};

const EXCUSES: readonly Excuse[] = [
	showsTooLate,
	isUnreadableForLong,
	failsForLong,
	showsWhileBeginning,
	// Compares a charge with all others, so it comes last.
	isLateAmongTooMany,
];

export const isExcused: Excuse = (charge, of) => EXCUSES.some((excuse) => excuse(charge, of));

/** True if more than about `keys` charges wait, and the list has no count, or only one page and a `next`. */
export const areTooMany = (waiting: number, keys: number, { traits }: Service): boolean =>
	keys > 0 && waiting > 0.9 * keys && !growsWithList(traits);

/** “If timestamps have no fraction, a refund or status of the second in which it starts.” Nothing shows which came first. */
export const isOfFirstSecond = (
	atMs: number,
	{ service, beginnings }: Pick<Case, 'service' | 'beginnings'>,
): boolean =>
	service.traits.timestamps === 'no-fraction' &&
	beginnings.some(({ upToMs }) => Math.floor(atMs / SECOND_MS) === Math.floor(upToMs / SECOND_MS));

/** False for a status that changes twice between two reads, or returns to an earlier value. */
export const changedAfterLook = (
	{ statuses }: Charge,
	looks: ReadonlyArray<{ readonly status: string; readonly sequence: number }>,
): boolean => {
	const last = statuses.at(-1);
	if (last === undefined || statuses.length < 2) return false;
	return looks.some(({ status, sequence }) => status !== last.name && sequence < last.sequence);
};
