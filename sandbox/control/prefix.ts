/** Everything below this path steers the sandbox: neither logged nor hit by fault rules. */
export const CONTROL_PREFIX = '/_sandbox';
