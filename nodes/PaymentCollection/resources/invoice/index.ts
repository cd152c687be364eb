import { resource } from '../resource';
import { get } from './get';

export const invoice = resource({ name: 'Invoice', value: 'invoice' }, { get }, 'get');
