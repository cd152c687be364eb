import type { IDataObject, IPollFunctions } from 'n8n-workflow';

/** A trigger as one process of n8n holds it, in the mode without durable cursors. */
export interface Registration {
	/** The node's static data as the node gets it: n8n sees values that are set, not edits deep inside them. */
	readonly staticData: IDataObject;
	/** The same without anybody watching. */
	readonly values: IDataObject;
	/** Whether a value was set since the last save. */
	isChanged: boolean;
	hasPolled?: true;
	/** Set when it is activated; all polls have this context. */
	context?: IPollFunctions;
}

export function createRegistration(saved: string): Registration {
	const values = JSON.parse(saved) as IDataObject;
	const staticData = new Proxy(values, {
		set(target, name, value) {
			registration.isChanged = true;
			return Reflect.set(target, name, value);
		},
		deleteProperty(target, name) {
			registration.isChanged = true;
			return Reflect.deleteProperty(target, name);
		},
	});
	const registration: Registration = { staticData, values, isChanged: false };
	return registration;
}
