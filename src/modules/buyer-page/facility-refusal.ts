/** Why the buyer has no credit limit, or will have none: shown on the page, with a review by a person. */
import type { Db } from '#infra/database/database';
import { findRefusal, type KnownRefusal } from '#modules/checkout';
import type { FacilityRow } from '#modules/facilities';

/** The refusal of a REJECTED facility, or of the renewal of an active or expired one; null if there is none. */
export async function findFacilityRefusal(
  db: Db,
  { platform_id, status, decision_id }: FacilityRow,
): Promise<KnownRefusal | null> {
  if (decision_id === null || status === 'PENDING') return null;
  const refusal = await findRefusal(db, platform_id, decision_id);
  // An accepted decision offers no review, even if it gives reasons.
  return status === 'REJECTED' || refusal?.review !== 'NONE' ? refusal : null;
}
