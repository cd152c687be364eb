import { RecordList } from '../../nodes/PaymentCollectionTrigger/list/recordList';
import type { Page } from '../../nodes/PaymentCollectionTrigger/list/pages';
import type { ListFacts, Walk } from '../../nodes/PaymentCollectionTrigger/state/state';
import { EARLIEST } from '../../nodes/shared/timestamps';
import fc from '../support/jest/property';
import { useFakeClock } from '../support/clock';
import { readFailure } from '../support/readFailure';

const ANSWER_MS = 1_000;
/** No reading here takes more polls. */
const MAX_POLLS = 300;

/** A list that doesn't change, and the service's responses for it. */
interface Shown {
	readonly rows: number;
	readonly size: number;
	readonly order: ListFacts['order'];
	/** True if rows have an ID and a creation time. */
	readonly isReadable: boolean;
	/** Pages that always fail. */
	readonly broken: readonly number[];
	readonly hasCount: boolean;
	readonly hasNext: boolean;
	/** The response for pages past the end. */
	readonly end: 'error' | 'empty' | 'again';
	/** Pages that were added since the trigger read the last one. */
	readonly grown: number;
	/** Requests that a poll has time for. */
	readonly perPoll: number;
}

const shown = fc
	.record<Shown>({
		isReadable: fc.constant(true),
		rows: fc.integer({ min: 1, max: 60 }),
		size: fc.integer({ min: 1, max: 12 }),
		order: fc.constantFrom('newestFirst', 'oldestFirst', 'unsorted'),
		broken: fc.oneof(fc.constant([]), fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 })),
		hasCount: fc.boolean(),
		hasNext: fc.boolean(),
		end: fc.constantFrom('error', 'empty', 'again'),
		grown: fc.nat(3),
		perPoll: fc.integer({ min: 1, max: 12 }),
	})
	.map((list) => ({
		...list,
		// A last page that fails can't be repeated.
		end: list.broken.length > 0 && list.end === 'again' ? 'empty' : list.end,
		broken: list.broken.filter((number) => number <= Math.ceil(list.rows / list.size)),
		// The trigger recognizes oldest-first lists only by their count.
		hasCount: list.hasCount || list.order === 'oldestFirst',
	}));

class Service {
	requests: number[] = [];
	private readonly clock = useFakeClock();

	constructor(private readonly list: Shown) {}

	get pages(): number {
		return Math.ceil(this.list.rows / this.list.size);
	}

	/** Opens the list for one poll. */
	open(facts: ListFacts, perPoll = this.list.perPoll): RecordList {
		this.requests = [];
		const deadlineMs = this.clock.now() + perPoll * ANSWER_MS + 1;
		return new RecordList(async (number) => await this.answer(number), facts, deadlineMs);
	}

	/** The rows of a page, by number from the list's top. */
	rowsOf(number: number): number[] {
		const { rows, size } = this.list;
		const from = (number - 1) * size;
		return Array.from({ length: Math.max(0, Math.min(size, rows - from)) }, (_, at) => from + at);
	}

	private async answer(number: number): Promise<Page> {
		const { rows, broken, hasCount, hasNext, isReadable, end } = this.list;
		this.requests.push(number);
		this.clock.advance(ANSWER_MS);
		await Promise.resolve();
		if (broken.includes(number)) throw readFailure({ kind: 'http', status: 500 });
		const isPast = number > Math.max(1, this.pages);
		if (isPast && end === 'error') return { number, rows: [], hasNext: undefined };
		const read = this.rowsOf(isPast && end === 'again' ? this.pages : number);
		return {
			number,
			rows: read.map((at) =>
				isReadable ? { id: String(at), key: String(at), created: EARLIEST, record: {} } : undefined,
			),
			count: hasCount ? rows : undefined,
			hasNext: hasNext ? number < this.pages : undefined,
		};
	}
}

const keysOf = ({ rows }: Page): number[] => rows.map((row) => Number(row?.key));

it('a reading over several polls shows each row once, from the new end on, except for pages that fail', async () => {
	const reads = fc.asyncProperty(shown, async (list) => {
		const service = new Service(list);
		const { order, size } = list;
		const lastPage = Math.max(1, service.pages - (list.broken.length > 0 ? 0 : list.grown));
		const facts: ListFacts = { order, lastPage, pageSize: size };
		// The reading begins at the first page if time ran out, as in readNewEnd.
		const { step } = service.open(facts);
		if (step === -1 && !(await service.open(facts).findLastPage())) facts.order = 'unsorted';
		const seen: number[] = [];
		const place: Walk = { nextPage: service.open(facts).newEnd };
		let end: Page | undefined;
		let polls = 0;
		let requests = 0;
		while (end === undefined && polls++ < MAX_POLLS) {
			const reader = service.open(facts);
			const last = await reader.walk(place, (page) => {
				seen.push(...keysOf(page));
				return false;
			});
			if (typeof last === 'object' && reader.isOldEnd(last)) end = last;
			requests += service.requests.length;
			expect(service.requests.length).toBeLessThanOrEqual(list.perPoll);
		}
		expect(end).toBeDefined();
		const pages = Array.from({ length: service.pages }, (_, at) => at + 1);
		const readable = pages.filter((page) => !list.broken.includes(page));
		const all = readable.flatMap((page) => service.rowsOf(page));
		expect([...new Set(seen)]).toEqual(facts.order === 'oldestFirst' ? all.toReversed() : all);
		// The last page may be repeated past the end.
		const again = list.end === 'again' ? list.size : 0;
		expect(seen.length).toBeLessThanOrEqual(all.length + again);
		expect(place.hasFailed ?? false).toBe(readable.length < pages.length);
		// A page that fails is requested again if time ran out after it, and the end is searched for twice.
		const most = pages.length + 3 + list.broken.length * 3;
		expect(requests).toBeLessThanOrEqual(most);
	});
	await fc.assert(reads, { numRuns: 500 });
});

it('pages on which no row can be read do not end the list', async () => {
	const list = { rows: 12, size: 3, order: 'newestFirst', broken: [], hasCount: true } as const;
	const rest = { hasNext: true, isReadable: false, end: 'error', grown: 0, perPoll: 12 } as const;
	const service = new Service({ ...list, ...rest });
	const reader = service.open({ order: 'newestFirst', lastPage: 1 });
	await reader.walk({ nextPage: 1 }, () => false);
	expect(service.requests).toEqual([1, 2, 3, 4]);
});
