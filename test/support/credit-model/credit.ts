/** The model of what a buyer may order on credit. */
import { ceilingAt } from './limits.ts';
import { type Answer, type Model, refused } from './state.ts';

/** Why the buyer cannot order this amount on credit; null if it can. `without` is subtracted from the reserved amount. */
export function creditRefusal(model: Model, amount: number, without = 0, at = model.now): Answer | null {
  const { facility } = model;
  // At the instant of its end it grants nothing, whatever is due first at that instant.
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
      const taken = facility.used + facility.pending - without;
      const available = Math.max(0, facility.total - taken);
      const room = Math.max(0, ceilingAt(model, facility.total, at) - taken);
      return amount > room ? refused(422, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT', { available }) : null;
    }
  }
}
