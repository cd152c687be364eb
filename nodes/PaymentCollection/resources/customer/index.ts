import { resource } from '../resource';
import { getAll } from './getAll';

export const customer = resource({ name: 'Customer', value: 'customer' }, { getAll }, 'getAll');
