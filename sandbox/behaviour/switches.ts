import { z } from 'zod';
import {
	DEFAULT_PAGE_SIZE,
	LINK_STATUSES,
	ENDPOINTS,
	type EndpointName,
} from '../../contract/constants';
import { onlySet } from '../store/onlySet';

/**
 * One switch for each thing that docs/service.md says is not documented, with the likely answer as its default.
 * A reader of the service must work whichever way a switch stands.
 */
const switchFields = z
	.object({
		rowOrder: z
			.enum(['newestFirst', 'oldestFirst', 'shuffled', 'shuffledPerRequest'])
			.describe(
				'Order of both lists. shuffled is the same on every request, shuffledPerRequest is not.',
			),
		defaultPageSize: z
			.number()
			.int()
			.min(1)
			.describe('Rows of a page when page_size is not given.'),
		maxPageSize: z.number().int().min(1).describe('Greatest page_size.'),
		overMaxPageSize: z
			.enum(['cap', 'refuse'])
			.describe('What a greater page_size does: fewer rows, or a 400.'),
		envelopeInArray: z
			.object({ charges: z.boolean(), customers: z.boolean() })
			.strict()
			.describe(
				'Whether the envelope comes wrapped in a one-element array, as the sample of the customer list does.',
			),
		omitCount: z
			.boolean()
			.describe(
				'Leaves count out of the charge list, where it is not said to be required, and of the customer list.',
			),
		countOffset: z.number().int().describe('Added to count, to stage a service whose count lies.'),
		pastTheEnd: z
			.enum(['404', 'empty', 'last'])
			.describe(
				'A page past the end; last is the last page again. Page 1 of an empty list is an empty page in any case.',
			),
		nextHost: z
			.string()
			.url()
			.nullable()
			.describe("Origin put in place of the sandbox's own in next and previous."),
		ignoredFilters: z
			.array(z.string())
			.describe('Filters that the service takes and then ignores, by query parameter name.'),
		textFilter: z
			.enum(['equals', 'contains'])
			.describe('How the text filters of customers compare, ignoring case.'),
		expiredLinkStatus: z.enum(LINK_STATUSES).describe('Status of a link after automatic expiry.'),
		expiryUtcOffsetMinutes: z
			.number()
			.int()
			.min(-840)
			.max(840)
			.describe('Time zone of the end of the expiry day, in minutes east of UTC.'),
		statusAfterRefund: z
			.enum(['keep', 'change'])
			.describe(
				"Whether a refund moves a charge's status to refunded (in full) or partially_refunded.",
			),
		partialRefunds: z.boolean().describe('Whether less than the rest of a charge can be refunded.'),
		timestampFormat: z
			.enum(['z-millis', 'micros', 'offset+04:00', 'no-fraction'])
			.describe('Every timestamp of every answer; all four are ISO 8601.'),
		createStatus: z
			.union([z.literal(200), z.literal(201)])
			.describe('Status of a successful link create.'),
		deleteStatus: z
			.union([z.literal(200), z.literal(204)])
			.describe('Status of a successful link delete, which has no body.'),
		forbidden: z
			.array(z.enum(Object.keys(ENDPOINTS) as [EndpointName, ...EndpointName[]]))
			.describe('Endpoints that the key may not use: 403.'),
	})
	.strict();

export type Switches = z.infer<typeof switchFields>;

/** What each switch does, in words. */
export const SWITCH_MEANINGS = Object.fromEntries(
	Object.entries(switchFields.shape).map(([name, { description = '' }]) => [name, description]),
) as Readonly<Record<keyof Switches, string>>;

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
