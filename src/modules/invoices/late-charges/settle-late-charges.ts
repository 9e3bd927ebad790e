/** Paying, reopening and waiving late charges. The lock of an invoice locks its charges. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { post } from '#modules/ledger';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import type { SettlingPlatform } from '../invoice-settlement.ts';
import type { PaymentRow } from '../payment.queries.ts';
import { type LateChargeEvent, lateChargeEvent } from './late-charge.events.ts';
import { type LateChargeTrigger, lateChargeLifecycle } from './late-charge.lifecycle.ts';
import {
  addAllocatedAmount,
  type ChargeAllocation,
  findLateCharge,
  type LateChargeChange,
  type LateChargeRow,
  listChargeAllocations,
  listOpenLateCharges,
  writeLateCharges,
} from './late-charge.queries.ts';
import { settleEarliestFirst } from './late-charge.rules.ts';
import { chargePaymentPostings, waiverPostings } from './late-charge-postings.rules.ts';

/** Money for the late charges of a locked invoice. */
export interface ChargePayment {
  invoiceExternalId: string;
  payment: PaymentRow;
  /** For PAYMENT, the row of the payment already counts the amount as allocated. */
  cause: 'PAYMENT' | 'APPLICATION';
  /** Minor units: at most the outstanding amount of the charges. */
  amountMinor: number;
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Settles late charges, per invoice earliest first. Each invoice is paid at most once. Returns the allocations. */
export async function payLateCharges(
  { db, platformId }: SettlingPlatform,
  payments: readonly ChargePayment[],
): Promise<ChargeAllocation[]> {
  const money = payments.filter(({ amountMinor }) => amountMinor > 0);
  if (money.length === 0) return [];
  const open = await listOpenLateCharges(
    db,
    platformId,
    money.map(({ invoiceExternalId }) => invoiceExternalId),
  );
  const paid = money.flatMap((each) =>
    settleEarliestFirst(
      open.filter(({ invoice_external_id }) => invoice_external_id === each.invoiceExternalId),
      each.amountMinor,
    ).map(({ charge, amountMinor }) => ({ ...each, charge, amountMinor })),
  );
  await writeChanges(
    { db, platformId },
    paid.map(({ charge, payment, cause, amountMinor, actor, now }) =>
      changedCharge(
        charge,
        { paidMinor: amountMinor, actor, now },
        {
          allocation: { paymentId: payment.external_id, cause, amountMinor },
        },
      ),
    ),
  );
  for (const { payment, cause, amountMinor, now } of money)
    if (cause === 'APPLICATION')
      await addAllocatedAmount(db, { platformId, externalId: payment.external_id }, { amountMinor, at: now });
  await post(
    db,
    platformId,
    paid.flatMap(({ charge, payment, cause, amountMinor, actor, now }) => {
      // Not before the claim, even if the money came earlier.
      const effectiveAt = cause === 'PAYMENT' ? Math.max(payment.paid_at, charge.created_at) : now;
      return chargePaymentPostings(charge, payment, amountMinor, { actor, effectiveAt });
    }),
  );
  return paid.map(({ charge, payment, invoiceExternalId, amountMinor }) => ({
    paymentId: payment.external_id,
    lateChargeExternalId: charge.external_id,
    ...{ invoiceExternalId, amountMinor },
  }));
}

/**
 * The late charges that a reversed payment had settled are owed again. Their entries are reversed with all others of the payment. The
 * waived part of a charge stays waived.
 */
export async function reopenLateCharges(
  { db, platformId, actor, now }: ChangeContext,
  payment: PaymentRow,
): Promise<void> {
  const allocations = await listChargeAllocations(db, platformId, [payment.external_id]);
  const changes: LateChargeChange[] = [];
  for (const { lateChargeExternalId, amountMinor } of allocations) {
    const charge = (await findLateCharge(db, platformId, lateChargeExternalId)) as LateChargeRow;
    const allocation = {
      paymentId: payment.external_id,
      cause: 'REVERSAL',
      amountMinor: -amountMinor,
    } as const;
    changes.push(changedCharge(charge, { paidMinor: -amountMinor, actor, now }, { allocation }));
    if (charge.status === 'WAIVED')
      await post(db, platformId, waiverPostings(charge, amountMinor, { actor, effectiveAt: now }));
  }
  await writeChanges({ db, platformId }, changes);
}

/** Waives the outstanding amount of a charge whose invoice is locked. Throws INVALID_STATUS_TRANSITION unless the charge is OPEN. */
export async function waiveLateCharge(
  { db, platformId, actor, now }: ChangeContext,
  charge: LateChargeRow,
  reason: string,
): Promise<LateChargeRow> {
  const [waived] = await writeChanges({ db, platformId }, [
    changedCharge(charge, { paidMinor: 0, actor, now }, { trigger: 'waive', reason }),
  ]);
  await post(db, platformId, waiverPostings(charge, charge.outstanding_amount, { actor, effectiveAt: now }));
  return waived as LateChargeRow;
}

function changedCharge(
  charge: LateChargeRow,
  { paidMinor, actor, now }: { paidMinor: number; actor: string; now: number },
  {
    allocation = null,
    reason = null,
    trigger = triggerOf(charge, charge.paid_amount + paidMinor),
  }: Partial<Pick<LateChargeChange, 'allocation' | 'reason'>> & { trigger?: LateChargeTrigger | null },
): LateChargeChange {
  const transition = trigger === null ? null : transitionOf(lateChargeLifecycle, charge.status, trigger);
  return {
    charge: {
      ...charge,
      ...nextVersion(charge, now),
      status: transition?.to ?? charge.status,
      paid_amount: charge.paid_amount + paidMinor,
    },
    ...{ transition, allocation, actor, reason },
  };
}

function triggerOf({ status, amount }: LateChargeRow, paidMinor: number): LateChargeTrigger | null {
  if (status === 'OPEN' && paidMinor === amount) return 'pay';
  return status === 'PAID' && paidMinor < amount ? 'reopen' : null;
}

async function writeChanges(
  { db, platformId }: Pick<SettlingPlatform, 'db' | 'platformId'>,
  changes: readonly LateChargeChange[],
): Promise<LateChargeRow[]> {
  if (changes.length === 0) return [];
  const written = await writeLateCharges(db, platformId, changes);
  await recordEvents(
    db,
    written.flatMap((charge, index) => {
      const event = changes[index]?.transition?.event;
      return event ? [lateChargeEvent(event as LateChargeEvent['type'], charge)] : [];
    }),
  );
  return written;
}
