import { resource } from '../resource';
import { get } from './get';
import { getAll } from './getAll';
import { getEvents } from './getEvents';
import { refund } from './refund';

export const charge = resource(
	{ name: 'Charge', value: 'charge' },
	{ get, getEvents, getAll, refund },
	'getAll',
);
