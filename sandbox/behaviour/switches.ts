import { z } from 'zod';
import { ENDPOINTS, type EndpointName } from '../../contract/endpoints';
import { LINK_STATUSES } from '../../contract/enums';
import { DEFAULT_PAGE_SIZE } from '../../contract/limits';
import { onlySet } from '../store/onlySet';

/**
 * One switch for each thing that docs/service.md says is not documented, with the likely answer as its default.
 * A reader of the service must work whichever way a switch stands.
 */
const switchFields = z
	.object({
		/** Order of both lists (not shown). `shuffled` is the same on every request, `shuffledPerRequest` is not. */
		rowOrder: z.enum(['newestFirst', 'oldestFirst', 'shuffled', 'shuffledPerRequest']),
		/** Rows of a page when page_size is not given (not shown). */
		defaultPageSize: z.number().int().min(1),
		/** Greatest page_size (not shown). */
		maxPageSize: z.number().int().min(1),
		/** What a greater page_size does: fewer rows, or a 400. */
		overMaxPageSize: z.enum(['cap', 'refuse']),
		/** Whether the envelope comes wrapped in a one-element array, as the sample of the customer list does. */
		envelopeInArray: z.object({ charges: z.boolean(), customers: z.boolean() }).strict(),
		/** Leaves `count` out of the charge list, where it is not said to be required, and of the customer list. */
		omitCount: z.boolean(),
		/** Added to `count`, to stage a service whose count lies. */
		countOffset: z.number().int(),
		/** A page past the end. Page 1 of an empty list is an empty page in any case. */
		pastTheEnd: z.enum(['404', 'empty']),
		/** Origin put in place of the sandbox's own in `next` and `previous`. */
		nextHost: z.string().url().nullable(),
		/** Filters that the service takes and then ignores, by query parameter name. */
		ignoredFilters: z.array(z.string()),
		/** How the text filters of customers compare, ignoring case (not shown). */
		textFilter: z.enum(['equals', 'contains']),
		/** Status of a link after automatic expiry (not shown). */
		expiredLinkStatus: z.enum(LINK_STATUSES),
		/** Time zone of the end of the expiry day (not shown), in minutes east of UTC. */
		expiryUtcOffsetMinutes: z.number().int().min(-840).max(840),
		/** Whether a refund moves a charge's status to refunded (in full) or partially_refunded (not shown). */
		statusAfterRefund: z.enum(['keep', 'change']),
		/** Whether less than the rest of a charge can be refunded (not shown). */
		partialRefunds: z.boolean(),
		/** Every timestamp of every answer; all four are ISO 8601. */
		timestampFormat: z.enum(['z-millis', 'micros', 'offset+04:00', 'no-fraction']),
		/** Status of a successful link create (not shown). */
		createStatus: z.union([z.literal(200), z.literal(201)]),
		/** Status of a successful link delete, which has no body (not shown). */
		deleteStatus: z.union([z.literal(200), z.literal(204)]),
		/** Endpoints that the key may not use: 403. */
		forbidden: z.array(z.enum(Object.keys(ENDPOINTS) as [EndpointName, ...EndpointName[]])),
	})
	.strict();

export type Switches = z.infer<typeof switchFields>;

/** A change of some switches; what is not named stays. */
export const switchPatchSchema = switchFields
	.extend({ envelopeInArray: switchFields.shape.envelopeInArray.partial() })
	.partial()
	.strict();

export type SwitchPatch = z.infer<typeof switchPatchSchema>;

export const DEFAULT_SWITCHES: Switches = {
	rowOrder: 'newestFirst',
	defaultPageSize: 25,
	maxPageSize: DEFAULT_PAGE_SIZE,
	overMaxPageSize: 'cap',
	envelopeInArray: { charges: false, customers: true },
	omitCount: false,
	countOffset: 0,
	pastTheEnd: '404',
	nextHost: null,
	ignoredFilters: [],
	textFilter: 'equals',
	expiredLinkStatus: 'disabled',
	expiryUtcOffsetMinutes: 0,
	statusAfterRefund: 'keep',
	partialRefunds: true,
	timestampFormat: 'z-millis',
	createStatus: 201,
	deleteStatus: 204,
	forbidden: [],
};

/** Checks a patch (ZodError when a switch or a value is unknown) and applies it. */
export function patchSwitches(switches: Switches, patch: unknown): Switches {
	const { envelopeInArray, ...rest } = switchPatchSchema.parse(patch);
	return {
		...switches,
		...onlySet(rest),
		envelopeInArray: { ...switches.envelopeInArray, ...onlySet(envelopeInArray ?? {}) },
	};
}
