import { ENDPOINTS } from '../../../contract/constants';
import type { AnyItem, WriteId } from '../../../nodes/PaymentCollection/operation';
import { onceOnly } from '../../../nodes/PaymentCollection/writes/onceOnly';
import { notRepeated } from '../../../nodes/PaymentCollection/writes/outcome';
import { sentWrites } from '../../../nodes/PaymentCollection/writes/sentWrites';

/** Every write that moves money is a POST so far, so this test defines the others. */
it.each([
	['POST', false, 'in doubt'],
	['POST', true, 'in doubt'],
	['PATCH', false, 'sent again'],
	['PATCH', true, 'in doubt'],
	['DELETE', false, 'sent again'],
	['DELETE', true, 'in doubt'],
] as const)('a lost %s that moves money (%s) is %s', async (method, moves, fate) => {
	const id: WriteId = { step: `${method} ${moves}`, run: {}, hash: '' };
	const endpoint = Object.values(ENDPOINTS).find((one) => one.method === method);
	const item = {
		endpoint,
		writeId: () => id,
		noteDone: () => undefined,
		toItems: (records) => [...records],
	} as Partial<AnyItem> as AnyItem;
	const { run } = onceOnly(
		{
			read: () => 'asked',
			subjectOf: () => 'subject',
			contentOf: () => 'content',
			inTurn: async (_item, _subject, task) => await task(undefined),
			inDoubt: () => notRepeated({ whether: 'it was done', denial: '' }, 'nothing came', ''),
			send: async () => ({ id: 'sent' }),
		},
		{ describeEffect: () => undefined, denial: '', toolNotice: '', movesMoney: moves },
	);
	sentWrites.note(id, { state: 'unknown' });
	if (fate === 'sent again') await expect(run(item)).resolves.toEqual([{ id: 'sent' }]);
	else await expect(run(item)).rejects.toThrow('UNKNOWN whether it was done');
});
