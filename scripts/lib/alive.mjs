/**
 * @param {number} pid
 * @returns {boolean} whether there is such a process
 */
export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it exists, and is somebody else's.
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}
