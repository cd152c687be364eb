/** What a trigger may do against its laws. */
export type Wrong =
	/** 1: never told. */
	| 'lost'
	/** 2: told again. */
	| 'twice'
	/** 3: told though it was there when the trigger began. */
	| 'old'
	/** 4: polls that throw though pages came, end the trigger, fall silent or start an empty execution. */
	| 'stuck'
	/** 4: n8n's log does not say that something could not be read, or says so though all could. */
	| 'unsaid'
	/** 4: told, but long after it could have been. */
	| 'late'
	/** 5: requests, time, bytes, charges of a poll. */
	| 'unbounded'
	/** 6: requests of polls that had little to read. */
	| 'dear'
	/** Told of a charge or an event that was not asked for. */
	| 'unwanted'
	/** Items of one poll that do not begin with the oldest. */
	| 'disordered';

/** What went wrong, and in which charges or polls; empty where nothing did. */
export type Verdict = Partial<Record<Wrong, string[]>>;
