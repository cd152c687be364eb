import { z } from 'zod';

const atLeastOne = z.number().int().min(1);

const matchSchema = z.strictObject({
	method: z.string().optional(),
	path: z.string().optional().describe('What the path begins with.'),
	page: atLeastOne.optional().describe('The page asked for; 1 where none is given.'),
	nth: z
		.union([atLeastOne, z.array(atLeastOne)])
		.optional()
		.describe('Only the nth matching request (1 is the first), or only these.'),
	times: atLeastOne.optional().describe('At most this often.'),
});

const actionSchema = z.strictObject({
	status: z
		.number()
		.int()
		.min(200)
		.max(599)
		.optional()
		.describe(
			"Answers this status, with an error body in the service's shape unless another part says otherwise.",
		),
	body: z.unknown().describe('Answers this: text as it is, anything else as JSON.'),
	headers: z
		.record(z.string())
		.optional()
		.describe('Set on the answer, whether it is replaced or not: Retry-After, say.'),
	html: z.boolean().optional().describe('Answers an HTML page, as proxies do.'),
	malformedJson: z.boolean().optional().describe('Answers JSON that breaks off.'),
	redirectTo: z
		.string()
		.optional()
		.describe('Answers a redirect to this address, 302 unless status says otherwise.'),
	delayMs: z
		.number()
		.int()
		.min(0)
		.optional()
		.describe('Waits this long before executing; with afterExecuting, before answering.'),
	reset: z.boolean().optional().describe('Resets the connection.'),
	hang: z.boolean().optional().describe('Never answers.'),
	afterExecuting: z
		.boolean()
		.optional()
		.describe('Executes the request before it is delayed, reset, hung or answered otherwise.'),
	insertCharges: atLeastOne
		.optional()
		.describe('New charges that come in after this request: rows shift between two pages.'),
});

/**
 * A rule that stages trouble: it picks requests by `match` and does `action` to them. Every rule that matches a request
 * counts it; of those that are due, the first one in order of adding is applied.
 */
export const faultRuleSchema = z.strictObject({
	match: matchSchema.default({}),
	action: actionSchema,
});

export type FaultRule = z.input<typeof faultRuleSchema>;
export type FaultAction = z.infer<typeof actionSchema>;
type FaultMatch = z.infer<typeof matchSchema>;

/** A rule at work. */
export interface ActiveFault {
	readonly id: number;
	readonly match: FaultMatch;
	readonly action: FaultAction;
	/** Requests that matched. */
	seen: number;
	/** Requests that it was applied to. */
	applied: number;
}

export interface RequestFacts {
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
}

/** Describes by what a rule can pick requests, and what it can do to them. */
export const describeFaults = () =>
	Object.fromEntries(
		Object.entries({ match: matchSchema, action: actionSchema }).map(([part, { shape }]) => [
			part,
			Object.fromEntries(
				Object.entries(shape).map(([name, { description = '' }]) => [name, description]),
			),
		]),
	);

/** Counts a request with every rule that matches it and answers what to do to it. */
export function takeFault(
	rules: readonly ActiveFault[],
	facts: RequestFacts,
): FaultAction | undefined {
	const matching = rules.filter(({ match }) => matches(match, facts));
	for (const rule of matching) rule.seen += 1;
	const due = matching.find(isDue);
	if (due) due.applied += 1;
	return due?.action;
}

function isDue({ match: { nth = [], times = Infinity }, seen, applied }: ActiveFault): boolean {
	const turns = [nth].flat();
	return (turns.length === 0 || turns.includes(seen)) && applied < times;
}

function matches(match: FaultMatch, { method, path, query }: RequestFacts): boolean {
	return (
		(match.method === undefined || match.method.toUpperCase() === method) &&
		path.startsWith(match.path ?? '') &&
		(match.page === undefined || match.page === Number(query['page'] ?? 1))
	);
}
