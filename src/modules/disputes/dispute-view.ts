import type { PlatformVault } from '#infra/secrets/vault';
import type { DisputeRow } from './dispute.queries.ts';
import type { Dispute } from './dispute.schemas.ts';

const placeOf = (externalId: string, about: 'comment' | 'decision') => `disputes/${externalId}/${about}`;

/** Returns null if there is no comment. */
export function sealComment(
  vault: PlatformVault,
  externalId: string,
  about: 'comment' | 'decision',
  text: string | null | undefined,
): Buffer | null {
  return text ? vault.seal(placeOf(externalId, about), text) : null;
}

/** The dispute as the API shows it. */
export function toDispute(
  {
    platform_id: _platformId,
    version: _version,
    invoice_paid_amount: _paid,
    comment_sealed,
    decision_sealed,
    ...row
  }: DisputeRow,
  vault: PlatformVault,
): Dispute {
  const { external_id } = row;
  return {
    ...row,
    comment: comment_sealed && vault.open(placeOf(external_id, 'comment'), comment_sealed),
    decision_comment: decision_sealed && vault.open(placeOf(external_id, 'decision'), decision_sealed),
  };
}
