import type { Db } from '#infra/database/database';
import type { PaymentMethod } from '#kernel/payment-term';
import { hasActiveMandate } from '#modules/buyers';
import type { FacilityKey } from './facility.queries.ts';

/** Whether the buyer has a mandate for an order by this method. Only a debit needs one; for other methods it is not looked up. */
export async function hasMandateFor(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  paymentMethod: PaymentMethod,
): Promise<boolean> {
  if (paymentMethod !== 'DEBIT') return false;
  return hasActiveMandate(db, { platformId, externalId: buyerExternalId });
}
