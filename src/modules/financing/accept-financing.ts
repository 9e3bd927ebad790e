/** Accepting a financing, and undoing it before its payout: facility, ledger, service and payout line are one transaction. */

import { refusal } from '#kernel/problem';
import { releaseUse, useWithoutOrder } from '#modules/facilities';
import { updateFinancedInvoice } from '#modules/invoices';
import {
  credit,
  debit,
  findBalance,
  listEntriesOfInvoice,
  NOW_AND_ALL,
  type Posting,
  post,
  reversalOf,
} from '#modules/ledger';
import { addPayoutLines, lockMerchantAccounts, removePayoutLines } from '#modules/payouts';
import { type ServiceRow, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import type { Examination, ServiceFacts } from './requirements.rules.ts';
import type { ComputedFee } from './service-fee.rules.ts';

/** Accepts a locked service of which everything required is met. The facility and the invoice are locked. */
export async function acceptFinancing(
  context: ChangeContext,
  service: ServiceRow,
  { invoice, tolerancePercent }: ServiceFacts,
  { baseMinor, creditMinor, fee }: Examination & { fee: ComputedFee },
): Promise<ServiceRow> {
  const { db, platformId, actor, now } = context;
  if (creditMinor > 0) {
    const use = { ...useOf(context, service), amountMinor: creditMinor, tolerancePercent };
    const [posted] = await useWithoutOrder(db, [use]);
    if (!posted?.isPosted)
      throw new Error(`The locked facility of ${service.buyer_external_id} refused the use.`);
    const credit_amount = invoice.credit_amount + creditMinor;
    await updateFinancedInvoice(db, { platformId, externalId: invoice.external_id }, { credit_amount });
  }
  const feeMinor = fee.fee_net + fee.fee_tax;
  const setOffMinor = await recoverableMinor(context, service, baseMinor - feeMinor);
  const advanceMinor = baseMinor - feeMinor - setOffMinor;
  await post(db, platformId, [
    {
      cause: 'ADVANCE_ACCEPTED',
      currency: service.currency,
      effectiveAt: now,
      actor,
      documents: { invoiceExternalId: invoice.external_id, serviceExternalId: service.external_id },
      lines: [
        debit('buyer_receivable', baseMinor, service.buyer_external_id),
        credit('payout_clearing', advanceMinor),
        credit('fee_income', fee.fee_net),
        credit('fee_tax', fee.fee_tax, fee.fee_tax_category),
        credit('merchant_setoff', setOffMinor, service.merchant_external_id),
      ],
    },
  ]);
  const changes = {
    ...fee,
    requirements: [],
    base_amount: baseMinor,
    set_off_amount: setOffMinor,
    advance_amount: advanceMinor,
    credit_amount: creditMinor,
    accepted_at: now,
  };
  const [accepted] = await transitionServices(context, [{ ...service, changes }], 'accept');
  await addPayoutLines(context, [
    {
      merchantExternalId: service.merchant_external_id,
      currency: service.currency,
      serviceExternalId: service.external_id,
      invoiceExternalId: invoice.external_id,
      amountMinor: advanceMinor,
      requestedAt: service.requested_payout_at,
    },
  ]);
  return accepted as ServiceRow;
}

/** What the merchant owes, up to `mostMinor`. The lock of its account keeps two services from recovering the same. */
async function recoverableMinor(
  { db, platformId }: ChangeContext,
  { merchant_external_id: merchant, currency }: ServiceRow,
  mostMinor: number,
): Promise<number> {
  await lockMerchantAccounts(db, platformId, [merchant]);
  const owed = await findBalance(
    db,
    platformId,
    { account: 'merchant_setoff', party: merchant, currency },
    NOW_AND_ALL,
  );
  return Math.max(0, Math.min(Number(owed), mostMinor));
}

/**
 * Undoes the acceptance of a locked service, and ends it. Throws INVALID_STATUS_TRANSITION if the bank is instructed, or
 * something of the invoice was paid or credited since.
 */
export async function undoAcceptance(
  context: ChangeContext,
  service: ServiceRow,
  invoice: ServiceFacts['invoice'],
  trigger: 'cancel' | 'reject',
  grounds: { reason?: string | null; approvedBy?: string | null },
): Promise<ServiceRow> {
  const { db, platformId, actor, now } = context;
  if (invoice.paid_amount > 0 || invoice.amount_gross - invoice.credited_amount !== service.base_amount)
    throw refusal('INVALID_STATUS_TRANSITION', 'A part of the invoice was paid or credited since', {
      status: service.status,
      trigger,
      allowed: [],
    });
  await lockMerchantAccounts(db, platformId, [service.merchant_external_id]);
  await removePayoutLines(context, [service.external_id]);
  await post(db, platformId, [await reversalOfAdvance(context, service)]);
  if (service.credit_amount > 0) {
    await releaseUse(db, [
      { ...useOf(context, service), cause: 'FINANCING_CANCELLED', amountMinor: service.credit_amount },
    ]);
    const credit_amount = invoice.credit_amount - service.credit_amount;
    await updateFinancedInvoice(db, { platformId, externalId: invoice.external_id }, { credit_amount });
  }
  const [ended] = await transitionServices({ db, platformId, actor, now }, [service], trigger, grounds);
  return ended as ServiceRow;
}

async function reversalOfAdvance(
  { db, platformId, actor, now }: ChangeContext,
  service: ServiceRow,
): Promise<Posting> {
  const entries = await listEntriesOfInvoice(db, platformId, service.invoice_external_id);
  const advance = entries.find(
    ({ service_external_id, cause }) =>
      service_external_id === service.external_id && cause === 'ADVANCE_ACCEPTED',
  );
  if (!advance) throw new Error(`The service ${service.external_id} has no entry of its acceptance.`);
  return reversalOf(advance, { cause: 'ADVANCE_CANCELLED', effectiveAt: now, actor });
}

const useOf = ({ platformId, actor, now }: ChangeContext, service: ServiceRow) => ({
  platformId,
  buyerExternalId: service.buyer_external_id,
  invoiceExternalId: service.invoice_external_id,
  actor,
  at: now,
});
