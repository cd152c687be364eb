import { showFor } from '../showFor';
import { linkIdField } from './linkId';

/** GET /v1/links/{id}. */
export const getFields = showFor('link', 'get', [linkIdField]);
