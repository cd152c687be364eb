import type { z } from 'zod';
import type { EndpointName } from '../constants';
import { chargeFiltersSchema, refundSchema } from './charge';
import { customerFiltersSchema } from './customer';
import { linkCreateFieldsSchema, linkEditSchema } from './link';

/** The filters or the body of each endpoint, without its ID and a page of a list. */
export const REQUEST_SCHEMAS = {
	linkCreate: { body: linkCreateFieldsSchema },
	linkGet: {},
	linkEdit: { body: linkEditSchema },
	linkDelete: {},
	invoiceGet: {},
	chargeList: { query: chargeFiltersSchema },
	chargeRefund: { body: refundSchema },
	checkoutGet: {},
	customerList: { query: customerFiltersSchema },
} satisfies Record<EndpointName, { body?: z.AnyZodObject; query?: z.AnyZodObject }>;
