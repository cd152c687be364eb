/** A way for a trigger to break its laws; the number is the law. */
export type Wrong =
	/** 1: an event was never emitted. */
	| 'lost'
	/** 2: an event was emitted again. */
	| 'twice'
	/** 3: an event was emitted of a charge that was there when the trigger began. */
	| 'old'
	/** 4: polls that throw though pages came, end the trigger, fall silent or start an empty execution. */
	| 'stuck'
	/** 4: n8n's log does not say that something could not be read, or says so though all could. */
	| 'unsaid'
	/** 4: an event was emitted, but long after it could have been. */
	| 'late'
	/** 5: requests, time, bytes, charges of a poll. */
	| 'unbounded'
	/** 6: requests of polls that had little to read. */
	| 'dear'
	/** An event was emitted that the settings leave out. */
	| 'unwanted'
	/** Items of one poll that do not begin with the oldest. */
	| 'disordered';

/** Broken laws, each with the charges or polls that broke it; empty if all were kept. */
export type Verdict = Partial<Record<Wrong, string[]>>;
