import type { Failure } from './failure';
import { FAILURE_RULES, seconds } from './failureRules';

/** What to show for a failure: the service's message first, then its code and the HTTP status; below it what to do. */
export function failureTexts(failure: Failure): { message: string; advice: string } {
	const rule = FAILURE_RULES.find(({ when }) => when(failure));
	const facts = [
		failure.serviceCode && `code ${failure.serviceCode}`,
		failure.status !== undefined && `HTTP ${failure.status}`,
	].filter(Boolean);
	const text = failure.serviceMessage ?? rule?.message(failure) ?? failure.detail;
	const wait = failure.retryAfterMs
		? ` The service asks to wait ${seconds(failure.retryAfterMs)}.`
		: '';
	const tries = failure.attempts > 1 ? ` It was tried ${failure.attempts} times.` : '';
	return {
		message: facts.length > 0 ? `${text} (${facts.join(', ')})` : text,
		advice:
			`${rule?.advice(failure) ?? ''}${wait}${tries} Request: ${failure.request}.`.trimStart(),
	};
}
