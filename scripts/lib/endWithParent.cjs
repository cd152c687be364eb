/**
 * Loaded into a server before its own code: asks it to end when the process that started it is gone, however that one
 * died. The channel between the two closes then, which no library looks at for the sake of the child.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
