import tmp from 'tmp';

tmp.setGracefulCleanup();

/**
 * @param {string} prefix of its name
 * @returns {string} a new folder that goes with this process, whatever it holds
 */
export function temporaryFolder(prefix) {
	return tmp.dirSync({ prefix, unsafeCleanup: true }).name;
}
