import { showFor } from '../showFor';
import { linkIdField } from './linkId';

/** DELETE /v1/links/{id}/delete. */
export const deleteFields = showFor('link', 'delete', [linkIdField]);
