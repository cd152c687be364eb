import { resource } from '../resource';
import { get } from './get';
import { getAll } from './getAll';
import { refund } from './refund';

export const charge = resource(
	{ name: 'Charge', value: 'charge' },
	{ get, getAll, refund },
	'getAll',
);
