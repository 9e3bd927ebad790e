/** The model of the credit available to a buyer. */
import { ceilingAt } from './limits.ts';
import { creditUsedOf, instalmentsOf, sumOf } from './owed.ts';
import { type Answer, dayOf, endOfDay, type Facility, type Model, refused } from './state.ts';

/** The amount of the facility that invoices use, and the amount that orders reserve. */
export const usedOf = ({ invoices }: Readonly<Model>) => sumOf(invoices, creditUsedOf);
export const pendingOf = ({ orders }: Readonly<Model>) => sumOf(orders, ({ reserved }) => reserved);

/** The available amount of the facility. */
export const availableOf = (model: Readonly<Model>, { status, total }: Facility) =>
  status === 'EXPIRED' ? 0 : Math.max(0, total - usedOf(model) - pendingOf(model));

/** The amount that can still be authorized, with the tolerance. */
export const creditRoomOf = (model: Readonly<Model>, { total }: Facility, at: number) =>
  Math.max(0, ceilingAt(model, total, at) - usedOf(model) - pendingOf(model));

/** An unpaid amount up to this is a residue. Minor units. */
const RESIDUE = 100;
const STOP_DAYS = 30;
const GRACE_DAYS = 7;

/** Whether an invoice has been DUE for at least `daysMin` days with more than a residue. */
const isLate = ({ invoices }: Readonly<Model>, daysMin: number, at: number) =>
  invoices.some((invoice) => {
    if (invoice.status !== 'DUE') return false;
    const owed = instalmentsOf(invoice).filter(({ outstanding }) => outstanding > 0);
    const arrears = owed.filter(({ dueAt }) => endOfDay(dueAt) <= at);
    const days = dayOf(at) - dayOf(owed[0]?.dueAt ?? at);
    return sumOf(arrears, ({ outstanding }) => outstanding) > RESIDUE && days >= daysMin;
  });

/** Whether the buyer is too late to order on credit. */
export const isStopped = (model: Readonly<Model>, at = model.now) => isLate(model, STOP_DAYS, at);

/** Whether a person reviews an order because the buyer is late beyond the grace period. */
export const isLateForReview = (model: Readonly<Model>) => isLate(model, GRACE_DAYS + 1, model.now);

/** Why the buyer cannot order this amount on credit; null if it can. `without` is subtracted from the reserved amount. */
export function creditRefusal(model: Model, amount: number, without = 0, at = model.now): Answer | null {
  const { facility } = model;
  // At its end a facility grants nothing, regardless of the order of transitions due at that instant.
  if (facility?.status === 'ACTIVE' && facility.expiresAt !== null && facility.expiresAt <= at)
    return refused(422, 'FACILITY_EXPIRED');
  switch (facility?.status) {
    case undefined:
    case 'PENDING':
    case 'REJECTED':
      return refused(422, 'NO_ACTIVE_FACILITY');
    case 'FROZEN':
      return refused(422, 'FACILITY_FROZEN');
    case 'EXPIRED':
      return refused(422, 'FACILITY_EXPIRED');
    case 'ACTIVE': {
      if (isStopped(model, at)) return refused(422, 'BUYER_OVERDUE');
      const taken = usedOf(model) + pendingOf(model) - without;
      const available = Math.max(0, facility.total - taken);
      const room = Math.max(0, ceilingAt(model, facility.total, at) - taken);
      return amount > room ? refused(422, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT', { available }) : null;
    }
  }
}
