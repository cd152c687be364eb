import { resource } from '../resource';
import { get } from './get';

export const checkoutSession = resource(
	{ name: 'Checkout Session', value: 'checkoutSession' },
	{ get },
	'get',
);
