/** Transitions of a merchant. Row, history and event are written together. */
import { nextVersion } from '#kernel/changes';
import { type Transition, transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext, Context } from '#operation/operation';
import { merchantEnrolled } from './merchant.events.ts';
import { type MerchantStatus, type MerchantTrigger, merchantLifecycle } from './merchant.lifecycle.ts';
import {
  insertMerchantTransition,
  lockMerchant,
  type MerchantRow,
  toMerchant,
  updateMerchant,
} from './merchant.queries.ts';

/** Activates or deactivates a merchant for an operator. Throws NOT_FOUND and INVALID_STATUS_TRANSITION. */
export async function changeEnrollment(
  context: Context,
  externalId: string,
  trigger: 'activate' | 'deactivate',
  reason: string,
) {
  const { db, platformId, now, vault, assertVersion } = context;
  const merchant = await lockMerchant(db, platformId, externalId);
  if (!merchant) throw notFound();
  assertVersion(merchant.version);
  const transition = transitionOf(merchantLifecycle, merchant.status, trigger);
  const changed = await updateMerchant(db, platformId, externalId, {
    status: transition.to,
    ...nextVersion(merchant, now),
  });
  await recordMerchantTransition(context, changed, transition, reason);
  return { body: toMerchant(changed, vault), version: changed.version };
}

/** Writes the history row and the event of a transition that the row has just made. */
export async function recordMerchantTransition(
  { db, actor }: ChangeContext,
  merchant: MerchantRow,
  transition: Transition<MerchantStatus, MerchantTrigger>,
  reason: string | null,
): Promise<void> {
  await insertMerchantTransition(db, {
    platform_id: merchant.platform_id,
    merchant_external_id: merchant.external_id,
    version: merchant.version,
    from_status: transition.from,
    to_status: transition.to,
    trigger: transition.trigger,
    transitioned_at: merchant.updated_at,
    actor,
    reason,
  });
  if (transition.event !== null) await recordEvents(db, [merchantEnrolled(merchant, transition.from)]);
}
