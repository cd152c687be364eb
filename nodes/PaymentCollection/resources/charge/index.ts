import { resource } from '../resource';
import { getAll } from './getAll';
import { refund } from './refund';

export const charge = resource({ name: 'Charge', value: 'charge' }, { getAll, refund }, 'getAll');
