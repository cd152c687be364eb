import { createHash } from 'node:crypto';
import type { Transport } from '../../shared/service/transport';

/** Stands for the account that a request is about: address and key, of which nothing can be read from it. */
export const accountOf = ({ baseUrl, apiKey }: Transport): string =>
	createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('base64');
