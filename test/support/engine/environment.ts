import { userFolder } from './userFolder';

import { rmSync } from 'node:fs';

import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';

import { processWide } from '../jest/processWide';

/** Must be the first import of everything that loads n8n-core: n8n reads its settings from the environment. */

// n8n writes a file into the user folder when its settings are first read, and then keeps them in memory. They are read
// here, and the folder is removed immediately, so nothing is left behind.
processWide('instanceSettings', () => {
	const settings = Container.get(InstanceSettings);
	rmSync(userFolder, { recursive: true, force: true });
	return settings;
});
