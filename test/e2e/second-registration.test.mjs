import assert from 'node:assert/strict';

import { OLD_PUBLISHING, startTriggerScene } from './support/triggerScene.mjs';
import { testImportAgain } from './support/triggerTests.mjs';

// n8n knows nothing of what a command did to a workflow that it runs: published again, it runs twice (n8n issue 35251).
testImportAgain(await startTriggerScene(OLD_PUBLISHING), async (flow) => {
	const before = await flow.ticks();
	await flow.untilPolledTwice();
	const now = await flow.ticks();
	assert.ok(now.usual > before.usual && now.other > before.other, 'n8n runs the trigger only once');
});
