import { charge } from './charge';
import { checkoutSession } from './checkoutSession';
import { customer } from './customer';
import { invoice } from './invoice';
import { link } from './link';

/** Sorted by value. */
export const RESOURCES = [charge, checkoutSession, customer, invoice, link];
