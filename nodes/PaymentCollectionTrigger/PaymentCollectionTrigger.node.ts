import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { ENDPOINTS } from '../../contract/endpoints';
import { clock } from '../shared/clock';
import { readPage } from '../shared/listPage';
import { searchCustomers } from '../shared/listSearch/searchCustomers';
import { REQUEST_TIMEOUT_MS, openTransport } from '../shared/transport';
import { accountFingerprint, filterFingerprint } from './account';
import { ChargeList } from './chargeList';
import { toItem } from './events';
import { triggerFields } from './fields';
import { isForgiven, toPollError } from './faults';
import { pollCharges } from './poll';
import {
	beginPoll,
	loadCursor,
	pollBudgetMs,
	pollKind,
	requestBudgetMs,
	storeCursor,
} from './pollState';
import { readSettings } from './settings';
import { findTestEvent } from './testEvent';

/** Of the time for requests, for all tries of one of them. */
const SHARE_FOR_RETRIES = 1 / 3;

const WATCH_SHORTENED =
	'So many charges are refunded or change their status that fewer days than Watch Days can be watched';

export class PaymentCollectionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payment Collection Trigger',
		name: 'paymentCollectionTrigger',
		icon: {
			light: 'file:../../icons/paymentCollection.svg',
			dark: 'file:../../icons/paymentCollection.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when charges come in, are refunded or change their status',
		defaults: { name: 'Payment Collection Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentCollectionApi', required: true }],
		properties: triggerFields,
	};

	methods = { listSearch: { searchCustomers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const budgetMs = pollBudgetMs(this);
		const kind = pollKind(this);
		const run = beginPoll(this, budgetMs);
		if (run === undefined) return null;
		try {
			const settings = readSettings(this);
			const forRequestsMs = requestBudgetMs(budgetMs);
			const retryBudgetMs = forRequestsMs * SHARE_FOR_RETRIES;
			const transport = await openTransport(this, {
				retryBudgetMs,
				settings: { timeout: Math.min(REQUEST_TIMEOUT_MS, retryBudgetMs) },
			});
			const query = { endpoint: ENDPOINTS.chargeList, filters: settings.filters };
			const fetchPage = async (page: number, size: number) =>
				await readPage(transport, query, page, size);
			const options = { ...settings, apiKey: transport.apiKey };
			const nowMs = clock.now();
			const hasTime = () => clock.now() - nowMs < forRequestsMs;

			if (this.getMode() === 'manual') {
				return [
					[toItem(await findTestEvent(new ChargeList(fetchPage, hasTime), settings), options)],
				];
			}
			const account = accountFingerprint(transport);
			const filters = filterFingerprint(settings.filters);
			const cursor = loadCursor(this, account);
			const result = await pollCharges({
				account,
				filters,
				cursor,
				settings,
				fetchPage,
				nowMs,
				hasTime,
			});
			const items = result.events.map((event) => toItem(event, options));
			if (result.wasShortened) this.logger.warn(WATCH_SHORTENED);
			if (!run.isCurrent()) return null;
			storeCursor(this, result.cursor, items.length > 0);
			return items.length > 0 ? [items] : null;
		} catch (error) {
			const shown = toPollError(error, this.getNode());
			if (this.getMode() === 'manual' || !isForgiven(error, kind)) {
				if (kind !== 'tick') run.undo();
				throw shown;
			}
			this.logger.warn(`The first poll failed and will be repeated: ${shown.message}`);
			return null;
		} finally {
			run.end();
		}
	}
}
