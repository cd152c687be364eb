import './environment';

import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import type { ICredentialsHelper } from 'n8n-workflow';
import {
	UnexpectedError,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

export interface AdditionalDataOptions {
	credentialsHelper: ICredentialsHelper;
	mode: WorkflowExecuteMode;
	executionId?: string;
	workflowId?: string;
	nodeParameters?: IWorkflowExecuteAdditionalData['currentNodeParameters'];
}

/** Data that n8n adds to every execution, without the parts that no node of this package needs. */
export function createAdditionalData(
	options: AdditionalDataOptions,
): IWorkflowExecuteAdditionalData {
	const missing = async (): Promise<never> =>
		await Promise.reject(new UnexpectedError('Not part of the test harness'));
	const baseUrl = 'http://127.0.0.1:5678/';
	const { executionId, workflowId = 'workflow', mode } = options;
	return {
		credentialsHelper: options.credentialsHelper,
		executeWorkflow: missing,
		getRunExecutionData: missing,
		getRuntimeCredential: missing,
		startRunnerTask: missing,
		logAiEvent: () => undefined,
		currentNodeExecutionIndex: 0,
		currentNodeParameters: options.nodeParameters,
		executionId,
		workflowId,
		restApiUrl: `${baseUrl}rest`,
		instanceBaseUrl: baseUrl,
		formBaseUrl: `${baseUrl}form`,
		formWaitingBaseUrl: `${baseUrl}form-waiting`,
		formTestBaseUrl: `${baseUrl}form-test`,
		webhookBaseUrl: `${baseUrl}webhook`,
		webhookWaitingBaseUrl: `${baseUrl}webhook-waiting`,
		webhookTestBaseUrl: `${baseUrl}webhook-test`,
		mcpBaseUrl: `${baseUrl}mcp`,
		mcpTestBaseUrl: `${baseUrl}mcp-test`,
		variables: {},
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		hooks: new ExecutionLifecycleHooks(mode, executionId ?? '', {
			id: workflowId,
			name: 'Harness',
			active: false,
			activeVersionId: null,
			isArchived: false,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
		}),
	};
}

let lastId = 0;

/** A number that no other run, workflow or execution of this test file has. */
export function nextId(): string {
	lastId += 1;
	return String(lastId);
}
