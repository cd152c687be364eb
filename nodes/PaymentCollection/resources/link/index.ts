import { resource } from '../resource';
import { create } from './create';
import { deletion } from './delete';
import { get } from './get';
import { update } from './update';

export const link = resource(
	{ name: 'Payment Link', value: 'link' },
	{ create, delete: deletion, get, update },
	'create',
);
