import type { INodeParameters } from 'n8n-workflow';

/** A whole list by the HTTP Request node, as one sets it up by hand: the next page by its number, while there is one. */
export function httpRequestOf(list: { baseUrl: string; list: string }): INodeParameters {
	return {
		method: 'GET',
		url: `${list.baseUrl}/v1/${list.list}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'paymentCollectionApi',
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'page_size', value: '100' }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !($response.body[0] ?? $response.body).next }}',
				},
			},
		},
	};
}
