const MINUTE_MS = 60_000;

/** Calls `arrive` so many times a minute, evenly, until the answered function is called. */
export function keepArriving(arrive: () => void, perMinute: number): () => void {
	if (perMinute <= 0) return () => undefined;
	const timer = setInterval(arrive, MINUTE_MS / perMinute);
	// The server keeps the process alive, not its visitors.
	timer.unref();
	return () => clearInterval(timer);
}
