/**
 * Every limit of docs/service.md, as plain data: the nodes ship it, the zod schemas beside it build on it. How the
 * service counts a text's length is not documented: the nodes count code points, zod UTF-16 code units, which are more.
 */

/** Characters; link create and edit. */
export const MAX_TITLE_LENGTH = 50;
/** Characters; link create. */
export const MAX_NOTE_LENGTH = 280;
/** Characters; link create and checkout session, ISO 4217. */
export const CURRENCY_CODE_LENGTH = 3;
/** Percent; link create. */
export const MIN_DISCOUNT_PERCENTAGE = 0;
/** Percent; link create. */
export const MAX_DISCOUNT_PERCENTAGE = 100;
/** Entries; link create. */
export const MAX_CUSTOM_FIELDS = 5;
/** Payments; link create. */
export const MIN_PAYMENT_EXPIRY_LIMIT = 1;
/** Greatest integer that the service documents (item quantities); taken for every other integer too. */
export const MAX_INTEGER = 2_147_483_647;
/** Units of a link item. The least is not documented: an item of which nothing is sold is taken as a mistake. */
export const MIN_ITEM_QUANTITY = 1;
/** Items of a link. The least is not documented: a link that sells nothing is taken as a mistake. */
export const MIN_LINK_ITEMS = 1;
/** Pairs; checkout session. */
export const MAX_METADATA_PAIRS = 40;
/** Characters; checkout session. */
export const MAX_METADATA_KEY_LENGTH = 24;
/** Characters; checkout session. */
export const MAX_METADATA_VALUE_LENGTH = 512;
/** Rows asked for by a list page. Default and maximum of the service are not documented: it may give fewer. */
export const DEFAULT_PAGE_SIZE = 100;
