import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Schedule } from './world/schedules/steps';

/** A schedule in which a promise was once broken. */
export interface KeptCase {
	/** What happens in it, as a sentence. */
	readonly title: string;
	readonly schedule: Schedule;
}

const FOLDER = join(__dirname, 'kept');

export const keptCases: readonly KeptCase[] = readdirSync(FOLDER, {
	recursive: true,
	encoding: 'utf8',
})
	.filter((name) => name.endsWith('.json'))
	.sort()
	.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as KeptCase);
