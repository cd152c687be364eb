import { userFolder } from './userFolder';

import { rmSync } from 'node:fs';

import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';

import { processWide } from '../jest/processWide';

/** Must be the first import of everything that loads n8n-core: n8n reads its settings from the environment. */

// n8n writes a file into the user folder when it is first asked for its settings, and keeps them in memory: asked at
// once, and whatever else is used of n8n, nothing is left behind.
processWide('instanceSettings', () => {
	const settings = Container.get(InstanceSettings);
	rmSync(userFolder, { recursive: true, force: true });
	return settings;
});
