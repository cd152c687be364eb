import { z } from 'zod';
import {
	DEFAULT_PAGE_SIZE,
	LINK_STATUSES,
	ENDPOINTS,
	type EndpointName,
} from '../contract/constants';
import { TIMESTAMP_FORMATS } from './timestamps';

const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as [EndpointName, ...EndpointName[]];

type ListPath = Extract<(typeof ENDPOINTS)[EndpointName], { answers: 'list' }>['path'];

/** A list by the end of its path, such as charges. */
export type ListName = ListPath extends `/v1/${infer Name}` ? Name : never;

const LIST_NAMES = Object.values(ENDPOINTS)
	.filter(({ answers }) => answers === 'list')
	.map(({ path }) => path.replace('/v1/', '')) as [ListName, ...ListName[]];

const atLeastOne = z.number().int().min(1);

/**
 * Switches for what docs/service.md says is not documented, with the likely answer as the default of each.
 * A reader of the service must work whichever way a switch stands.
 */
export const switchesSchema = z.strictObject({
	rowOrder: z
		.enum(['newestFirst', 'oldestFirst', 'shuffled', 'shuffledPerRequest'])
		.default('newestFirst')
		.describe(
			'Order of every list. shuffled is the same on every request, shuffledPerRequest is not.',
		),
	defaultPageSize: atLeastOne.default(25).describe('Rows of a page without page_size.'),
	maxPageSize: atLeastOne.default(DEFAULT_PAGE_SIZE).describe('Greatest page_size.'),
	overMaxPageSize: z
		.enum(['cap', 'refuse'])
		.default('cap')
		.describe('What a greater page_size does: fewer rows, or a 400.'),
	envelopeInArray: z
		.array(z.enum(LIST_NAMES))
		.default(['customers'])
		.describe('Lists with their envelope in a one-element array, as in the sample of customers.'),
	omitCount: z
		.boolean()
		.default(false)
		.describe('Leaves count out of the lists; that of charges is not said to have one.'),
	pastTheEnd: z
		.enum(['404', 'empty', 'last'])
		.default('404')
		.describe('A page past the end; last is the last page again. An empty list has one page.'),
	textFilter: z
		.enum(['equals', 'contains'])
		.default('equals')
		.describe('How the text filters of customers compare, ignoring case.'),
	expiredLinkStatus: z
		.enum(LINK_STATUSES)
		.default('disabled')
		.describe('Status of a link after automatic expiry.'),
	expiryUtcOffsetMinutes: z
		.number()
		.int()
		.min(-840)
		.max(840)
		.default(0)
		.describe('Time zone of the end of the expiry day, in minutes east of UTC.'),
	statusAfterRefund: z
		.enum(['keep', 'change'])
		.default('keep')
		.describe('Whether a refund makes the status refunded (in full) or partially_refunded.'),
	partialRefunds: z
		.boolean()
		.default(true)
		.describe('Whether less than the rest of a charge can be refunded.'),
	timestampFormat: z
		.enum(TIMESTAMP_FORMATS)
		.default('z-millis')
		.describe('Every timestamp of every answer; all four are ISO 8601.'),
	createStatus: z
		.union([z.literal(200), z.literal(201)])
		.default(201)
		.describe('Status of a successful link create.'),
	deleteStatus: z
		.union([z.literal(200), z.literal(204)])
		.default(204)
		.describe('Status of a successful link delete, which has no body.'),
	forbidden: z
		.array(z.enum(ENDPOINT_NAMES))
		.default([])
		.describe('Endpoints that the key may not use: 403.'),
});

export type Switches = z.infer<typeof switchesSchema>;

/** All that a switch can be, where that is a short list. */
function valuesOf(schema: z.ZodTypeAny): unknown[] | undefined {
	if (schema instanceof z.ZodDefault) return valuesOf(schema.removeDefault() as z.ZodTypeAny);
	if (schema instanceof z.ZodEnum) return schema.options as unknown[];
	if (schema instanceof z.ZodBoolean) return [true, false];
	if (schema instanceof z.ZodUnion) return (schema.options as z.ZodTypeAny[]).flatMap(valuesOf);
	return schema instanceof z.ZodLiteral ? [schema.value] : undefined;
}

/** Every switch with how it stands, how it usually does, what else it can be, and what it does. */
export const describeSwitches = (switches: Switches) =>
	Object.entries(switchesSchema.shape).map(([name, schema]) => ({
		name,
		now: switches[name as keyof Switches],
		usually: schema.parse(undefined),
		values: valuesOf(schema),
		meaning: schema.description ?? '',
	}));
