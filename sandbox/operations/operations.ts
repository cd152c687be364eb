import type { Charge } from '../../contract/schemas/charge';
import type { SandboxContext } from '../context';
import { notFound } from '../behaviour/errors';
import type { FaultRule } from '../behaviour/faults';
import { decimalsOf, toText } from './money';
import { applyRefund, remainingOf, withStatus } from './refunds';
import type { ChargeDraft } from '../store/store';
import { patchSwitches, type SwitchPatch } from '../behaviour/switches';

/** How a sandbox is steered, from a test in process as from the control surface. */
export interface Operations {
	/** Throws ZodError when a switch or a value is unknown. */
	setSwitches(patch: SwitchPatch): void;
	/** Answers the number to remove the rule by. Throws ZodError when the rule is malformed. */
	addFault(rule: FaultRule): number;
	removeFault(id: number): boolean;
	clearFaults(): void;
	clearRequests(): void;
	/** A new charge, created now unless `created` is given; fields that are not given are drawn. */
	insertCharge(draft?: ChargeDraft): Charge;
	/** Refunds as the endpoint does, all that is left by default. Throws ServiceError where that answers an error. */
	refundCharge(id: string, amount?: string): Charge;
	setChargeStatus(id: string, status: string): Charge;
	removeCharge(id: string): void;
	/** Pays a link, whatever its status, and answers the charge. */
	payLink(id: string): Charge;
	/** Seeds anew (by default as at the start), puts the switches back, forgets faults and requests. */
	reset(seed?: number): void;
}

export function operationsOn(context: SandboxContext): Operations {
	const change = (id: string, apply: (charge: Charge) => Charge): Charge => {
		const charge = context.store.updateCharge(id, apply);
		if (!charge) throw notFound('charge', id);
		return charge;
	};
	return {
		setSwitches: (patch) => {
			context.switches = patchSwitches(context.switches, patch);
		},
		addFault: (rule) => context.faults.add(rule),
		removeFault: (id) => context.faults.remove(id),
		clearFaults: () => context.faults.clear(),
		clearRequests: () => context.log.clear(),
		insertCharge: (draft) => context.store.insertCharge(draft),
		refundCharge: (id, amount) =>
			change(id, (charge) => {
				const rest = toText(remainingOf(charge), decimalsOf(charge.currency) ?? 2);
				return applyRefund(charge, amount ?? rest, context.store.nowMs, context.switches);
			}),
		setChargeStatus: (id, status) =>
			change(id, (charge) => withStatus(charge, status, context.store.nowMs)),
		removeCharge: (id) => {
			if (!context.store.charges.remove(id)) throw notFound('charge', id);
		},
		payLink: (id) => {
			const charge = context.store.payLink(id);
			if (!charge) throw notFound('link', id);
			return charge;
		},
		reset: (seed) => context.restart(seed),
	};
}
