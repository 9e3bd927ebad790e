/** Transitions of a payout instruction. Row, history and event are written together. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext, Context } from '#operation/operation';
import { maskAccount } from './payout-account.rules.ts';
import { payoutInstructionEvent } from './payout-instruction.events.ts';
import { type PayoutInstructionTrigger, payoutInstructionLifecycle } from './payout-instruction.lifecycle.ts';
import {
  insertPayoutInstructionTransition,
  lockPayoutInstruction,
  openPayoutDetails,
  type PayoutInstructionRow,
  updatePayoutInstruction,
} from './payout-instruction.queries.ts';

type PayoutInstructionContext = ChangeContext & Pick<Context, 'vault'>;

/** The reason of a transition and its actor. */
export interface TransitionGrounds {
  reason?: string;
  approvedBy?: string;
  /** The result of the check of the holder's name. */
  nameCheck?: NameCheck;
}

export const NAME_CHECKS = ['MATCH', 'CLOSE_MATCH', 'NOT_AVAILABLE'] as const;
export type NameCheck = (typeof NAME_CHECKS)[number];

/** Makes a transition of a locked instruction. Throws INVALID_STATUS_TRANSITION. */
export async function transitionPayoutInstruction(
  context: PayoutInstructionContext,
  instruction: PayoutInstructionRow,
  trigger: Exclude<PayoutInstructionTrigger, 'create'>,
  changes: Partial<PayoutInstructionRow> = {},
  grounds: TransitionGrounds = {},
): Promise<PayoutInstructionRow> {
  const transition = transitionOf(payoutInstructionLifecycle, instruction.status, trigger);
  const { platform_id: platformId, external_id: externalId } = instruction;
  const changed = await updatePayoutInstruction(
    context.db,
    { platformId, externalId },
    { ...changes, status: transition.to, ...nextVersion(instruction, context.now) },
  );
  await recordPayoutInstructionTransition(context, changed, trigger, instruction.status, grounds);
  return changed;
}

/** Locks an instruction and makes a transition. Throws NOT_FOUND and INVALID_STATUS_TRANSITION. */
export async function changePayoutInstruction(
  context: PayoutInstructionContext,
  externalId: string,
  trigger: 'verify' | 'reject',
  grounds: TransitionGrounds,
): Promise<PayoutInstructionRow> {
  const { db, platformId } = context;
  const instruction = await lockPayoutInstruction(db, { platformId, externalId });
  if (!instruction) throw notFound();
  return transitionPayoutInstruction(context, instruction, trigger, {}, grounds);
}

/** Writes the history row and the event of a transition that the row has just made. */
export async function recordPayoutInstructionTransition(
  { db, actor, vault }: PayoutInstructionContext,
  instruction: PayoutInstructionRow,
  trigger: PayoutInstructionTrigger,
  from: PayoutInstructionRow['status'] | null,
  { reason, approvedBy, nameCheck }: TransitionGrounds = {},
): Promise<void> {
  const { event } = transitionOf(payoutInstructionLifecycle, from, trigger);
  await insertPayoutInstructionTransition(db, {
    platform_id: instruction.platform_id,
    external_id: instruction.external_id,
    version: instruction.version,
    from_status: from,
    to_status: instruction.status,
    trigger,
    transitioned_at: instruction.updated_at,
    actor,
    approved_by: approvedBy ?? null,
    reason: reason ?? null,
    name_check: nameCheck ?? null,
    account_masked: maskAccount(openPayoutDetails(vault, instruction)),
  });
  if (event === 'PAYOUT_INSTRUCTION.VERIFIED' || event === 'PAYOUT_INSTRUCTION.UNVERIFIED')
    await recordEvents(db, [payoutInstructionEvent(event, instruction, from)]);
}
