import type { ModelCharge } from './charge';
import type { ModelService } from './service';
import { isCounted } from './traits';
import type { Change } from '../schedules/steps';

const END_OF_TIME_MS = Date.UTC(9999, 11, 31);

/** A listed charge: 0 is the one that came in last. */
function picked(service: ModelService, pick: number): ModelCharge | undefined {
	const listed = service.listed();
	return listed[listed.length - 1 - (pick % Math.max(1, listed.length))];
}

/** Lets something happen in the service. */
export function apply(service: ModelService, change: Change): void {
	const { time } = service;
	switch (change.kind) {
		case 'arrive': {
			const { count, spreadMs } = change;
			for (let index = 0; index < count; index++) {
				const agoMs = Math.floor((spreadMs * (count - index - 1)) / count);
				service.insert(time.now - agoMs, change.status);
			}
			return;
		}
		case 'mass':
			for (let index = 0; index < change.count; index++) service.insert(time.now);
			return;
		case 'late':
			service.insert(time.now - change.agoMs);
			return;
		case 'future':
			service.insert(time.now + change.aheadMs);
			return;
		case 'endOfTime':
			service.insert(END_OF_TIME_MS);
			return;
		case 'unreadable':
			service.insert(time.now).defect = change.defect;
			return;
		case 'mend':
			for (const charge of service.charges) {
				if (charge.defect === null) continue;
				charge.defect = null;
				charge.readableAt = time.now;
			}
			service.changed();
			return;
		case 'show':
			for (const charge of service.charges) if (!charge.isDeleted) service.show(charge, true);
			return;
		case 'cure':
			for (const charge of service.charges) charge.isPoisoned = false;
			return;
		case 'reorder':
			// Without a count a reader has nothing but the order.
			if (isCounted(service.lists) && !service.wasSortedAmid)
				service.become({ ...service.lists, order: change.order });
			return;
		case 'settle':
			service.settle();
			return;
		default: {
			const charge = picked(service, change.pick);
			if (charge !== undefined) applyTo(service, charge, change);
		}
	}
}

function applyTo(
	service: ModelService,
	charge: ModelCharge,
	change: Extract<Change, { pick: number }>,
): void {
	charge.changedAt = service.time.now;
	switch (change.kind) {
		case 'spoil':
			charge.defect = change.defect;
			break;
		case 'remove':
			charge.isDeleted = true;
			service.show(charge, false);
			break;
		case 'hide':
			service.show(charge, false);
			break;
		case 'move':
			charge.createdMs += change.byMs;
			charge.earliestCreatedMs = Math.min(charge.earliestCreatedMs, charge.createdMs);
			break;
		case 'poison':
			charge.isPoisoned = true;
			break;
		case 'refund':
			charge.refunds.push({ atMs: service.time.now, cents: change.cents });
			charge.refundSequence = service.sequence + 1;
			break;
		case 'void':
			charge.refunds.pop();
			charge.refundSequence = service.sequence + 1;
			break;
		case 'status':
			if (charge.status === change.status) break;
			charge.status = change.status;
			charge.statuses.push(change.status);
			charge.statusSince = service.time.now;
			charge.statusSequence = service.sequence + 1;
			break;
		case 'touch':
			break;
	}
	service.changed(charge);
}
