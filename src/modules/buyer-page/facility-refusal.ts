/** Why the buyer has no credit limit, or will have none: what the page shows, and what a person can look at again. */
import type { Db } from '#infra/database/database';
import { findRefusal, type KnownRefusal } from '#modules/checkout';
import type { FacilityRow } from '#modules/facilities';

/** The refusal of a REJECTED facility, or of the renewal of one that runs or has expired; null without one. */
export async function findFacilityRefusal(
  db: Db,
  { platform_id, status, decision_id }: FacilityRow,
): Promise<KnownRefusal | null> {
  if (decision_id === null || status === 'PENDING') return null;
  const refusal = await findRefusal(db, platform_id, decision_id);
  // An accepted decision offers no review, whatever it says.
  return status === 'REJECTED' || refusal?.review !== 'NONE' ? refusal : null;
}
