/** Claims late charges on a locked invoice, whose amount and status stay unchanged. */
import { randomUUID } from 'node:crypto';
import { transitionOf } from '#kernel/lifecycle';
import { localDayOf } from '#kernel/local-day';
import { post } from '#modules/ledger';
import { recordEvents } from '#modules/webhooks';
import type { InvoiceRow } from '../invoice.queries.ts';
import type { SettlingContext } from '../invoice-settlement.ts';
import { lateChargeEvent } from './late-charge.events.ts';
import { lateChargeLifecycle } from './late-charge.lifecycle.ts';
import { insertLateCharges, type LateChargeRow } from './late-charge.queries.ts';
import type { LateChargeComputation, LateChargeKind } from './late-charge.schemas.ts';
import { claimPostings } from './late-charge-postings.rules.ts';

/** A charge to be claimed, in minor units of the invoice's currency. */
export interface ClaimedCharge {
  kind: LateChargeKind;
  amountMinor: number;
  /** The last day of interest; null for other charges. */
  accruedUntil: string | null;
  computation: LateChargeComputation;
}

/** Claims charges: for the platform if the invoice is financed, else for the merchant. Returns them in the same order. */
export async function claimLateCharges(
  { db, platformId, actor, now, timeZone }: SettlingContext,
  invoice: InvoiceRow,
  claimed: readonly ClaimedCharge[],
  reason: string | null,
): Promise<LateChargeRow[]> {
  if (claimed.length === 0) return [];
  const { to: status, trigger } = transitionOf(lateChargeLifecycle, null, 'claim');
  const charges = await insertLateCharges(
    db,
    platformId,
    claimed.map(({ kind, amountMinor, accruedUntil, computation }) => ({
      external_id: randomUUID(),
      status,
      kind,
      invoice_external_id: invoice.external_id,
      buyer_external_id: invoice.buyer_external_id,
      merchant_external_id: invoice.merchant_external_id,
      creditor: invoice.is_financed ? 'PLATFORM' : 'MERCHANT',
      created_at: now,
      updated_at: now,
      charged_on: localDayOf(now, timeZone),
      accrued_until: accruedUntil,
      currency: invoice.currency,
      amount: amountMinor,
      computation,
    })),
    { trigger, actor, reason },
  );
  await post(db, platformId, claimPostings(charges, { actor, effectiveAt: now }));
  await recordEvents(
    db,
    charges.map((charge) => lateChargeEvent('INVOICE.LATE_CHARGE.CLAIMED', charge)),
  );
  return charges;
}
