const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether a peer's address is this machine's own: the control surface asks for no key, so it is for no one else. */
export function isThisMachine(address: string): boolean {
	return LOOPBACK.test(address);
}
