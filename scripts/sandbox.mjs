/** `npm run sandbox`: the payment service only. `npm run sandbox -- --help` lists its options. */

import generateSources from './generate/sources.mjs';
import { importTypeScript } from './lib/typescript.mjs';

await generateSources();
await (await importTypeScript('sandbox/cli.ts')).main();
