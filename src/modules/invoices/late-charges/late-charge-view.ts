import type { LateChargeRow } from './late-charge.queries.ts';
import type { LateCharge } from './late-charge.schemas.ts';

/** The late charge as the API shows it. */
export function toLateCharge({
  platform_id: _platformId,
  version: _version,
  ...row
}: LateChargeRow): LateCharge {
  return {
    ...row,
    waived_amount: row.amount - row.paid_amount - row.outstanding_amount,
  };
}
