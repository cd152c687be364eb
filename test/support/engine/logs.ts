import './environment';

import { Logger } from '@n8n/backend-common';
import { GlobalConfig, InstanceSettingsConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { type LogMetadata } from 'n8n-workflow';

import { processWide } from '../jest/processWide';

export interface LogEntry {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: LogMetadata;
}

/** Takes the place of n8n's logger, debug level included, so that tests can look for secrets. */
class CapturingLogger extends Logger {
	entries: LogEntry[] = [];

	override scoped(): Logger {
		return this;
	}

	override error = this.noting('error');
	override warn = this.noting('warn');
	override info = this.noting('info');
	override debug = this.noting('debug');

	private noting(level: LogEntry['level']) {
		return (message: string, metadata?: LogMetadata): void => {
			this.entries.push({ level, message, metadata });
		};
	}
}

// The constructor also makes it the target of n8n-workflow's LoggerProxy.
const logger = processWide(
	'logger',
	() => new CapturingLogger(Container.get(GlobalConfig), Container.get(InstanceSettingsConfig)),
);
logger.entries = [];

Container.set(Logger, logger);

/** Everything logged through n8n since this test file was loaded, oldest first. */
export function allLogs(): readonly LogEntry[] {
	return logger.entries;
}
