import type { INodeProperties } from 'n8n-workflow';

import { PaymentCollection } from '../../nodes/PaymentCollection/PaymentCollection.node';
import { PaymentCollectionTrigger } from '../../nodes/PaymentCollectionTrigger/PaymentCollectionTrigger.node';
import { allFields, choicesIn, shownFor } from '../support/descriptions';

/**
 * Saved workflows depend on these: the name of each parameter, whether it is required (*), its default, which n8n does
 * not save, and its choices. Add what is new. To change what is here breaks workflows: say so in CHANGELOG.md.
 */
const FILTERS = `filters.currency="" filters.customerId=locator filters.search="" filters.status=""
	filters.type="charge"(charge|checkout|creditpayment|invoice|link)`;
const EVENTS = 'events*=["charge.created"](charge.created|charge.refunded|charge.statusChanged)';
const CUSTOMER_FILTERS = `filters.businessName="" filters.email="" filters.firstName="" filters.lastName=""`;
const LIST = `returnAll=false limit=50 options.maxConcurrency=8 options.page=1 options.pageSize=100`;
const OUTPUT = 'simplify=true output="simplified"(simplified|raw|selectedFields) fields=[]';
const KEY = 'options.idempotencyKey="" options.onRepeatedKey="fail"(fail|skip)';

const SAVED_NAMES = {
	node: 'resource="link"(charge|checkoutSession|customer|invoice|link)',
	charge: 'operation="getAll"(get|getEvents|getAll|refund)',
	checkoutSession: 'operation="get"(get)',
	customer: 'operation="getAll"(get|getAll)',
	invoice: 'operation="get"(get)',
	link: 'operation="create"(create|delete|get|update)',
	'charge get': `chargeId*=locator ${OUTPUT} options.includeSensitiveData=false`,
	'charge getAll': `${LIST} ${FILTERS} filters.chargeId=locator ${OUTPUT} options.includeSensitiveData=false`,
	'charge getEvents': `since*="" until="" ${EVENTS} ${FILTERS} ${OUTPUT}
		options.includeSensitiveData=false options.pageSize=100 options.watchDays=30`,
	'charge refund': `chargeId*=locator amountType="partial"(full|partial) amount*="" ${KEY}
		options.expectedRefundTotal="" options.maximumAmount="" options.onAlreadyRefunded="fail"(fail|returnExisting)`,
	'checkoutSession get': `checkoutSessionId*="" ${OUTPUT}`,
	'customer get': `customerId*=locator ${OUTPUT}`,
	'customer getAll': `${LIST} ${OUTPUT} ${CUSTOMER_FILTERS} filters.customerId=locator filters.search=""`,
	'invoice get': `invoiceId*="" ${OUTPUT}`,
	'link create': `currency*="" itemsInput="fields"(fields|json) itemsJson*="" items*={"item":[{"name":"Payment","amount":"","quantity":1}]}
		items.item[].name*="" items.item[].amount*="" items.item[].quantity*=1
		expiry="never"(afterPayments|never|onDate) paymentExpiryLimit*=1 expiryDate="" ${KEY}
		additionalFields.allowInstallmentA=true additionalFields.allowInstallmentB=true
		additionalFields.allowServiceFee=true additionalFields.allowTip=false additionalFields.customFields={}
		additionalFields.customFields.field[].name*="" additionalFields.customFieldsJson=""
		additionalFields.discountPercentage=0
		additionalFields.failureUrl="" additionalFields.note="" additionalFields.shippingAddressRequired=false
		additionalFields.successUrl="" additionalFields.title="" ${OUTPUT}`,
	'link delete': 'linkId*=""',
	'link get': `linkId*="" ${OUTPUT}`,
	'link update': `linkId*="" updateFields.status="enabled"(disabled|enabled) updateFields.title="" ${OUTPUT}`,
	trigger: `resource="charge"(charge|customer) operation="customer.created"(customer.created)
		${EVENTS} ${FILTERS} ${CUSTOMER_FILTERS} simplify=true options.includeSensitiveData=false options.lookbackMinutes=60
		options.maxChargesPerPoll=5000 options.startDate="" options.startFrom="now"(beginning|date|now)
		options.sweepPages=5 options.watchDays=30`,
};

/** Only the list of currencies is longer. */
const MAX_CHOICES = 5;

const namesOf = (fields: INodeProperties[]): string[] =>
	allFields(fields)
		.filter(([, { type }]) => type !== 'collection' && type !== 'notice')
		.map(([path, field]) => {
			const byDefault =
				field.type === 'resourceLocator' ? 'locator' : JSON.stringify(field.default);
			const values = choicesIn(field).map(({ value }) => value);
			const isOurs = values.length > 0 && values.length <= MAX_CHOICES;
			const choices = isOurs ? `(${values.join('|')})` : '';
			return `${path}${field.required === true ? '*' : ''}=${byDefault}${choices}`;
		});

function placesOf(field: INodeProperties): string[] {
	const operations = shownFor(field);
	const resource = field.displayOptions?.show?.['resource']?.[0];
	if (operations.length > 0) return operations;
	return [typeof resource === 'string' ? resource : 'node'];
}

it('saved workflows find every parameter as they saved it', () => {
	const { properties } = new PaymentCollection().description;
	const trigger = namesOf(new PaymentCollectionTrigger().description.properties);
	const present = [
		...trigger.map((name) => `trigger ${name}`),
		...properties.flatMap((field) =>
			placesOf(field).flatMap((place) => namesOf([field]).map((name) => `${place} ${name}`)),
		),
	];
	const saved = Object.entries(SAVED_NAMES).flatMap(([place, names]) =>
		names.split(/\s+/).map((name) => `${place} ${name}`),
	);
	expect([...new Set(present)].sort()).toEqual(saved.sort());
});
