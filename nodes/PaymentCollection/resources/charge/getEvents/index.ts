import { ENDPOINTS } from '../../../../../contract/endpoints';
import type { OperationDefinition } from '../../../run/operation';
import { fields } from './fields';
import { getEvents as run, toEventItems as toItems } from './getEvents';

/** GET /v1/charges (docs/service.md, Charges), read as the trigger would tell it: see docs/trigger.md. */
export const getEvents = {
	name: 'Get Events',
	action: 'Get charge events',
	description: 'Retrieve what happened to charges since a date, as the trigger would have told it',
	endpoint: ENDPOINTS.chargeList,
	fields,
	run,
	toItems,
} satisfies OperationDefinition;
