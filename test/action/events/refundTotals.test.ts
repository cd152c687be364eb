import { refundTotalText } from '../../../nodes/shared/records/charge';

it.each<[currency: string, stated: unknown, text: string | undefined]>([
	['EUR', '5', '5.00'],
	['EUR', 7.5, '7.50'],
	['EUR', '17.5000', '17.50'],
	['JPY', '750.00', '750'],
	['KWD', '0.2505', '0.2505'],
	['KWD', '0.75', '0.750'],
	['XXQ', '2.50', '2.5'],
	['EUR', '0.00', undefined],
	['EUR', '-3.00', undefined],
	['EUR', 'a lot', undefined],
])('a refund total in %s that is sent as %p is returned as %s', (currency, stated, text) => {
	expect(refundTotalText({ currency, refund_total: stated, refunds: [] })).toBe(text);
});

it.each(['', null, undefined])('a refund total of %p is the sum of the records', (stated) => {
	const refunds = ['5', 2.5, '10.000'].map((amount) => ({ amount }));
	const charge = { currency: 'EUR', refund_total: stated };
	expect(refundTotalText({ ...charge, refunds })).toBe('17.50');
	expect(refundTotalText({ ...charge, refunds: [...refunds, {}] })).toBeUndefined();
});
