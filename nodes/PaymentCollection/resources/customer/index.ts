import { resource } from '../resource';
import { get } from './get';
import { getAll } from './getAll';

export const customer = resource(
	{ name: 'Customer', value: 'customer' },
	{ get, getAll },
	'getAll',
);
