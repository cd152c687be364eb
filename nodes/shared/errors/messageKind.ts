/**
 * A message that a node prints. Messages are kept as data so that one place shows what is said in which situation.
 */
export interface MessageKind<Fact extends string = string> {
	/** What the user reads first; of an agent's model it may be all that is read. */
	readonly message: (facts: Readonly<Record<Fact, string>>) => string;
	/** What the user reads below it: what to do. */
	readonly cure: (facts: Readonly<Record<Fact, string>>) => string;
}

/** @typeParam Fact the names of the facts that the texts are made of */
export const messageKind = <Fact extends string>(kind: MessageKind<Fact>): MessageKind<Fact> =>
	kind;

/** Message and cure, in the order in which errors take them. */
export function textsOf<Fact extends string>(
	{ message, cure }: MessageKind<Fact>,
	facts: Readonly<Record<Fact, string>>,
): [message: string, cure: string] {
	return [message(facts), cure(facts)];
}
