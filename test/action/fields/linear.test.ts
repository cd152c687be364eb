import { createContext, runInContext } from 'node:vm';

import {
	idempotencyKeyField,
	isHalf,
} from '../../../nodes/PaymentCollection/writes/idempotencyKey';
import { checkFutureDate } from '../../../nodes/shared/input/dates';
import {
	checkCurrency,
	checkFilter,
	checkId,
	checkInteger,
	checkUrl,
	checkUuid,
} from '../../../nodes/shared/input/inputChecks';
import { checkMoney } from '../../../nodes/shared/input/moneyCheck';
import { withoutSpareZeros } from '../../../nodes/shared/money';
import { parseInstant } from '../../../nodes/shared/timestamps';
import { trimmed } from '../../../nodes/shared/values';

/**
 * The work for what a user or an expression gives grows with its length, and no faster. Measured in time of this
 * process's own CPU, which a busy machine does not lengthen: four times the text may take ten times as long, not sixteen.
 */
const [SHORT, LONG] = [25_000, 100_000];
const MOST_GROWTH = 10;
/** What is done in less says nothing of its growth; of a square of the length it would be seconds. */
const FREE_MS = 100;
/** Ends a search that would take hours. */
const LIMIT_MS = 120_000;

function cpuMs(run: () => unknown): number {
	const began = process.cpuUsage();
	runInContext('run()', createContext({ run }), { timeout: LIMIT_MS });
	return process.cpuUsage(began).user / 1_000;
}

/** Taken or refused. */
function answered(check: () => unknown): void {
	try {
		check();
	} catch {
		// Named by other tests.
	}
}

const PARTS = [
	'{{',
	'{{ a }}',
	'k{{ a }}',
	'k {{ a }} k',
	'{{ "}} {{" }}',
	'\\{{',
	'k',
	'\u0315\u0316',
].concat([' ', '\u200b ', '0', '0.', '-0', '1:', '/', 'https://a', 'aé\t']);
const BEGINNINGS = ['', '=', '1.', 'https://a', '2031-01-01T', '+'];
const KEYS = ['k'.repeat(246), 'kk '.repeat(80), ''];

const WORK: Record<string, (text: string) => void> = {
	'the expression of a key': (text) => KEYS.forEach((key) => isHalf(text, key)),
	'a key': (text) => idempotencyKeyField.check(text, 'Key', { body: {}, timeZone: 'UTC' }),
	'a filter': (text) => checkFilter(text, 'Filter'),
	'an ID': (text) => [checkId, checkUuid].forEach((check) => answered(() => check(text, 'ID'))),
	'a number': (text) => checkInteger(text, 'Number', 0, 1),
	'an amount': (text) => checkMoney(text, 'Amount', { currency: 'USD' }),
	'a price': (text) => withoutSpareZeros(text),
	'a currency': (text) => checkCurrency(text, 'Currency'),
	'a date': (text) => checkFutureDate(text, 'Date', 'UTC'),
	'a time': (text) => parseInstant(text),
	'a URL': (text) => checkUrl(text, 'URL'),
	'a text with spaces': (text) => trimmed(text),
};

it.each(Object.entries(WORK))('%s of any length takes time in step with it', (_what, work) => {
	for (const part of PARTS) {
		for (const beginning of BEGINNINGS) {
			const ms = (length: number): number => {
				const text = `${beginning}${part.repeat(length / part.length)}x`;
				return cpuMs(() => answered(() => work(text)));
			};
			// Other work on the machine can disturb one measurement.
			const isInStep = (): boolean => {
				const long = ms(LONG);
				return long <= FREE_MS || long / ms(SHORT) < MOST_GROWTH;
			};
			expect([part, beginning, isInStep() || isInStep() || isInStep()]).toEqual([
				part,
				beginning,
				true,
			]);
		}
	}
});
