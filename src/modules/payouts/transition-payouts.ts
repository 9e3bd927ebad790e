/** Transitions of payouts. Rows, history, events and the counts that keep accounts from being deleted are written together. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { countPayoutsUnderWay } from '#modules/payees';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { payoutEvent, type payoutEvents } from './payout.events.ts';
import { type PayoutStatus, type PayoutTrigger, payoutLifecycle } from './payout.lifecycle.ts';
import {
  type PayoutGrounds,
  type PayoutRow,
  type TransitionedPayout,
  writePayouts,
} from './payout.queries.ts';

/** The columns that a transition can change besides status and version. */
export type PayoutChanges = Partial<
  Pick<
    PayoutRow,
    | 'payout_instruction_external_id'
    | 'scheme'
    | 'scheduled_on'
    | 'instruction_version'
    | 'file_external_id'
    | 'nets_at'
    | 'paid_at'
    | 'failure_reason'
  >
>;

const UNDER_WAY: ReadonlySet<PayoutStatus | null> = new Set<PayoutStatus>(['SCHEDULED', 'INSTRUCTED']);

/** Inserts scheduled payouts. */
export function schedulePayouts(
  context: ChangeContext,
  payouts: readonly Omit<PayoutRow, 'platform_id' | 'status' | 'version' | 'updated_at'>[],
): Promise<PayoutRow[]> {
  const { to } = transitionOf(payoutLifecycle, null, 'schedule');
  return write(
    context,
    payouts.map((payout) => ({
      payout: {
        ...payout,
        platform_id: context.platformId,
        status: to,
        version: 1,
        updated_at: payout.created_at,
      },
      before: null,
      trigger: 'schedule',
    })),
  );
}

/** Makes the transition of locked payouts. Returns them in the same order. Throws INVALID_STATUS_TRANSITION before it writes. */
export function transitionPayouts(
  context: ChangeContext,
  payouts: readonly PayoutRow[],
  trigger: Exclude<PayoutTrigger, 'schedule'>,
  changesOf: (payout: PayoutRow) => PayoutChanges = () => ({}),
  grounds: PayoutGrounds = {},
): Promise<PayoutRow[]> {
  return write(
    context,
    payouts.map((payout) => {
      const { to } = transitionOf(payoutLifecycle, payout.status, trigger);
      const changed = { ...payout, ...changesOf(payout), ...nextVersion(payout, context.now), status: to };
      return { payout: changed, before: payout, trigger };
    }),
    grounds,
  );
}

async function write(
  { db, platformId, actor }: ChangeContext,
  changed: readonly (Pick<TransitionedPayout, 'payout' | 'trigger'> & { before: PayoutRow | null })[],
  grounds: PayoutGrounds = {},
): Promise<PayoutRow[]> {
  if (changed.length === 0) return [];
  const transitioned = changed.map(({ payout, trigger, before }) => ({
    payout,
    trigger,
    from: before?.status ?? null,
  }));
  await countPayoutsUnderWay(
    db,
    platformId,
    changed.flatMap(({ payout, before }) => [
      ...(before && UNDER_WAY.has(before.status)
        ? [{ instructionExternalId: before.payout_instruction_external_id, change: -1 }]
        : []),
      ...(UNDER_WAY.has(payout.status)
        ? [{ instructionExternalId: payout.payout_instruction_external_id, change: 1 }]
        : []),
    ]),
  );
  await writePayouts(db, platformId, transitioned, { ...grounds, actor });
  await recordEvents(
    db,
    transitioned.flatMap(({ payout, from, trigger }) => {
      const { event } = transitionOf(payoutLifecycle, from, trigger);
      return event === null ? [] : [payoutEvent(event as keyof typeof payoutEvents, payout, from)];
    }),
  );
  return transitioned.map(({ payout }) => payout);
}
