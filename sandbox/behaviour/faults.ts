import { z } from 'zod';

/**
 * Rules that stage trouble. A rule picks requests by `match` and does `action` to them. Every rule that
 * matches a request counts it; of those that are due, the first one in order of adding is applied.
 */
const matchSchema = z
	.object({
		method: z.string().optional(),
		/** A prefix of the path, or a regular expression: a RegExp, or text that begins with ^. */
		path: z.union([z.string(), z.instanceof(RegExp)]).optional(),
		/** The page asked for; a request without page asks for page 1. */
		page: z.number().int().optional(),
		/** Query parameters that must have exactly these values. */
		query: z.record(z.string()).optional(),
		/** Only the nth matching request (1 is the first), or only these. */
		nth: z.union([z.number().int().min(1), z.array(z.number().int().min(1))]).optional(),
		/** At most this often. */
		times: z.number().int().min(1).optional(),
	})
	.strict();

const actionSchema = z
	.object({
		/** Answers this status instead; with none of body, html, malformedJson an error body in the service's shape. */
		status: z.number().int().min(200).max(599).optional(),
		/** Answers this: text as it is, anything else as JSON. */
		body: z.unknown().optional(),
		/** Set on the answer, whether it is replaced or not: Retry-After, say. */
		headers: z.record(z.string()).optional(),
		/** Answers an HTML page, as proxies do. */
		html: z.union([z.boolean(), z.string()]).optional(),
		/** Answers JSON that breaks off. */
		malformedJson: z.boolean().optional(),
		/** Answers a redirect to this address, 302 unless status says otherwise. */
		redirectTo: z.string().optional(),
		/** Executes the request before the answer is replaced or delayed: the outcome is then hidden from the caller. */
		afterExecuting: z.boolean().optional(),
		/** Waits this long before executing (or after, see afterExecuting). */
		delayMs: z.number().int().min(0).optional(),
		/** Resets the connection without executing. */
		resetBefore: z.boolean().optional(),
		/** Executes, then resets the connection. */
		resetAfter: z.boolean().optional(),
		/** Executes, sends half of the answer and cuts the connection. */
		cutOff: z.boolean().optional(),
		/** Never answers, without executing or after it. */
		hang: z.enum(['before', 'after']).optional(),
		/** New charges that arrive right after this request was worked on: rows shift between two pages. */
		insertCharges: z.number().int().min(1).optional(),
		/** Newest charges that vanish right after this request was worked on. */
		removeCharges: z.number().int().min(1).optional(),
	})
	.strict();

export const faultRuleSchema = z
	.object({ match: matchSchema.default({}), action: actionSchema })
	.strict();

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
	method: string;
	path: string;
	query: Readonly<Record<string, string>>;
}

export class FaultRules {
	private rules: ActiveFault[] = [];
	private lastId = 0;

	get list(): readonly ActiveFault[] {
		return this.rules;
	}

	/** Checks a rule (ZodError when it is malformed) and puts it last; answers the number to remove it by. */
	add(rule: unknown): number {
		const { match, action } = faultRuleSchema.parse(rule);
		this.lastId += 1;
		this.rules.push({ id: this.lastId, match, action, seen: 0, applied: 0 });
		return this.lastId;
	}

	remove(id: number): boolean {
		const before = this.rules.length;
		this.rules = this.rules.filter((rule) => rule.id !== id);
		return this.rules.length < before;
	}

	clear(): void {
		this.rules = [];
	}

	/** Counts a request with every rule that matches it and answers what to do to it. */
	take(facts: RequestFacts): FaultAction | undefined {
		const matching = this.rules.filter(({ match }) => matches(match, facts));
		for (const rule of matching) rule.seen += 1;
		const due = matching.find(isDue);
		if (!due) return undefined;
		due.applied += 1;
		return due.action;
	}
}

function isDue({ match: { nth, times }, seen, applied }: ActiveFault): boolean {
	const itsTurn = nth === undefined || (Array.isArray(nth) ? nth.includes(seen) : nth === seen);
	return itsTurn && (times === undefined || applied < times);
}

function matches(match: FaultMatch, { method, path, query }: RequestFacts): boolean {
	return (
		(match.method === undefined || match.method.toUpperCase() === method) &&
		(match.path === undefined || matchesPath(match.path, path)) &&
		(match.page === undefined || match.page === Number(query['page'] ?? 1)) &&
		Object.entries(match.query ?? {}).every(([name, value]) => query[name] === value)
	);
}

function matchesPath(pattern: string | RegExp, path: string): boolean {
	if (typeof pattern === 'string' && !pattern.startsWith('^')) return path.startsWith(pattern);
	// search() ignores lastIndex: a global RegExp must not skip every other request.
	return path.search(pattern) >= 0;
}
