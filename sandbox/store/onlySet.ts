/** The properties that are set; one that is undefined would take a value away where the object is spread. */
export const onlySet = <Properties extends object>(properties: Properties) =>
	Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as {
		[Name in keyof Properties]?: Exclude<Properties[Name], undefined>;
	};
