/** Transitions of a mandate: the row, its history, and the flag in the buyer's row. */
import { nextVersion } from '#kernel/changes';
import { type Transition, transitionOf } from '#kernel/lifecycle';
import { recordActiveMandate } from '#modules/buyers';
import type { ChangeContext } from '#operation/operation';
import { type MandateStatus, type MandateTrigger, mandateLifecycle } from './mandate.lifecycle.ts';
import { insertMandateTransition, type MandateRow, updateMandate } from './mandate.queries.ts';

/** Revokes a mandate of a locked buyer. Throws INVALID_STATUS_TRANSITION. */
export async function revoke(context: ChangeContext, mandate: MandateRow): Promise<MandateRow> {
  const { db, platformId, now } = context;
  const transition = transitionOf(mandateLifecycle, mandate.status, 'revoke');
  const revoked = await updateMandate(db, platformId, mandate.reference, {
    status: transition.to,
    revoked_at: now,
    ...nextVersion(mandate, now),
  });
  await recordMandateTransition(context, revoked, transition);
  return revoked;
}

/** Records a transition of the row: its history, and whether the buyer has an active mandate. */
export async function recordMandateTransition(
  { db, platformId, actor }: ChangeContext,
  mandate: MandateRow,
  { from, to, trigger }: Transition<MandateStatus, MandateTrigger>,
): Promise<void> {
  await insertMandateTransition(db, {
    platform_id: platformId,
    reference: mandate.reference,
    version: mandate.version,
    from_status: from,
    to_status: to,
    trigger,
    transitioned_at: mandate.updated_at,
    actor,
  });
  const buyer = { platformId, externalId: mandate.buyer_external_id };
  await recordActiveMandate(db, buyer, to === 'ACTIVE');
}
