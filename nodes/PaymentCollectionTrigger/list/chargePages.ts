import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits';
import { ENDPOINTS } from '../../../contract/endpoints';
import { readCharge } from '../../shared/charges/charge';
import type { Charge } from '../../shared/charges/charge';
import { isNamed } from '../../shared/lists/listPage';
import { kindOf, malformed } from '../../shared/service/answers';
import type { ServiceRequest } from '../../shared/service/request';
import type { Transport } from '../../shared/service/transport';
import { keyOf } from '../state/datedKeys';

/** A charge as it was read. */
export interface ChargeRow extends Charge {
	/** Stands for the id in the stored state. */
	readonly key: string;
}

/** One page as it was in one moment. */
export interface ChargePage {
	/** From 1. */
	readonly number: number;
	/** In the list's order; undefined for a row without an id or a time of creation. */
	readonly rows: ReadonlyArray<ChargeRow | undefined>;
	/** Rows of the whole list, as far as the answer has something that may be a count. */
	readonly count: number | undefined;
	/** Whether the answer says that another page follows; undefined where it does not say. */
	readonly hasNext: boolean | undefined;
	/** It is the page before it again. */
	readonly isAgain?: true;
}

/** Reads one page; the filters are the same for all of them. */
export type FetchPage = (page: number) => Promise<ChargePage>;

/**
 * Reads pages of the charge list (docs/service.md, Lists), taking whatever an answer holds. Only what is no envelope at
 * all is an error. `next` is never followed, since it may name any host.
 *
 * @param deadlineMs when the last request must have ended, by the clock's elapsed milliseconds
 */
export function chargePages(
	transport: Transport,
	filters: Readonly<Record<string, string>>,
	deadlineMs: number,
): FetchPage {
	return async (number) => {
		const request = {
			endpoint: ENDPOINTS.chargeList,
			qs: { ...filters, page: number, page_size: DEFAULT_PAGE_SIZE },
		};
		return parsePage(number, await transport.send(request, { deadlineMs }), request);
	};
}

/** The document shows the envelope plain for charges and inside a one-element array for contacts: both are taken. */
function parsePage(number: number, body: unknown, request: ServiceRequest): ChargePage {
	const envelope: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (!isEnvelope(envelope)) throw malformed(request, kindOf(body));
	const { results, next } = envelope;
	const count = countOf(envelope['count']);
	// Nothing at all may be written as null.
	const records = results === null && (count ?? 0) === 0 ? [] : results;
	if (!Array.isArray(records)) throw malformed(request, 'no list of results');
	return {
		number,
		rows: records.map(readRow),
		count,
		hasNext: isNamed(next),
	};
}

const isEnvelope = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && 'results' in value;

function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function readRow(record: unknown): ChargeRow | undefined {
	const charge = readCharge(record);
	return charge && { ...charge, key: keyOf(charge.id) };
}
