import { GlobalConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { Expression } from 'n8n-workflow';

/** Evaluates expressions as n8n does with its default settings: in an isolate, which costs what it costs there. */
export async function startExpressions(): Promise<void> {
	const { expressionEngine } = Container.get(GlobalConfig);
	const { idleTimeout, ...settings } = expressionEngine;
	await Expression.initExpressionEngine({
		...settings,
		...(idleTimeout !== undefined && { idleTimeoutMs: idleTimeout * 1000 }),
	});
}
