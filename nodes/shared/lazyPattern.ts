/**
 * A pattern with Unicode's classes, made when it is first needed. V8 reads the tables of those that stand in the code as
 * literals whenever the package is loaded, which took a tenth of that time.
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
	let pattern: RegExp | undefined;
	return () => (pattern ??= new RegExp(source, flags));
}
