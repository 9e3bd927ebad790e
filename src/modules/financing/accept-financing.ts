/** Accepting a financing, and undoing the acceptance before its payout. Facility, ledger, service and payout line are one transaction. */

import { refusal } from '#kernel/problem';
import { releaseUse, useWithoutOrder } from '#modules/facilities';
import { addFinancedCredit } from '#modules/invoices';
import {
  credit,
  debit,
  listBalancesOfParties,
  listEntriesOfInvoice,
  type Posting,
  post,
  reversalOf,
} from '#modules/ledger';
import { addPayoutLines, lockMerchantAccounts, removePayoutLines } from '#modules/payouts';
import { type ServiceRow, transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import type { Examination, ServiceFacts } from './requirements.rules.ts';
import type { ComputedFee } from './service-fee.rules.ts';

/** A locked service whose requirements are all met. Its facility and its invoice are locked. */
export interface AcceptableFinancing {
  service: ServiceRow;
  facts: ServiceFacts;
  examination: Examination & { fee: ComputedFee };
}

/** Accepts services of one platform, each of a different invoice. Returns them in the order of their keys. */
export async function acceptFinancings(
  context: ChangeContext,
  acceptable: readonly AcceptableFinancing[],
): Promise<ServiceRow[]> {
  if (acceptable.length === 0) return [];
  const { db, platformId, actor, now } = context;
  await useCredit(context, acceptable);
  const setOffs = await recoverable(context, acceptable);
  const accepted = acceptable.map(({ service, examination: { baseMinor, creditMinor, fee } }, index) => {
    const setOffMinor = setOffs[index] as number;
    const changes = {
      ...fee,
      requirements: [],
      base_amount: baseMinor,
      set_off_amount: setOffMinor,
      advance_amount: baseMinor - fee.fee_net - fee.fee_tax - setOffMinor,
      credit_amount: creditMinor,
      accepted_at: now,
    };
    return { ...service, changes };
  });
  await post(
    db,
    platformId,
    accepted.map(({ changes, ...service }) => ({
      cause: 'ADVANCE_ACCEPTED',
      currency: service.currency,
      effectiveAt: now,
      actor,
      documents: {
        invoiceExternalId: service.invoice_external_id,
        serviceExternalId: service.external_id,
      },
      lines: [
        debit('buyer_receivable', changes.base_amount, service.buyer_external_id),
        credit('payout_clearing', changes.advance_amount),
        credit('fee_income', changes.fee_net),
        credit('fee_tax', changes.fee_tax, changes.fee_tax_category),
        credit('merchant_setoff', changes.set_off_amount, service.merchant_external_id),
      ],
    })),
  );
  await addPayoutLines(
    context,
    (acceptable[0] as AcceptableFinancing).facts.platform,
    accepted.map(({ changes, ...service }) => ({
      merchantExternalId: service.merchant_external_id,
      currency: service.currency,
      serviceExternalId: service.external_id,
      invoiceExternalId: service.invoice_external_id,
      amountMinor: changes.advance_amount,
      requestedAt: service.requested_payout_at,
    })),
  );
  return transitionServices(context, accepted, 'accept');
}

/** The invoices use the part of their facilities that their orders have not reserved. */
async function useCredit(context: ChangeContext, acceptable: readonly AcceptableFinancing[]): Promise<void> {
  const { db, platformId } = context;
  const using = acceptable.filter(({ examination }) => examination.creditMinor > 0);
  const posted = await useWithoutOrder(
    db,
    using.map(({ service, facts: { tolerancePercent }, examination: { creditMinor: amountMinor } }) => ({
      ...useOf(context, service),
      amountMinor,
      tolerancePercent,
    })),
  );
  const refused = using[posted.findIndex((each) => !each?.isPosted)];
  if (refused)
    throw new Error(`The locked facility of ${refused.service.buyer_external_id} refused the use.`);
  await addFinancedCredit(
    db,
    platformId,
    using.map(({ service, examination: { creditMinor } }) => ({
      invoiceExternalId: service.invoice_external_id,
      changeMinor: creditMinor,
    })),
  );
}

/**
 * The part of each advance that recovers debts of its merchant, in minor units. The first service recovers first. The lock of the
 * merchants' accounts keeps two transactions from recovering the same debt.
 */
async function recoverable(
  { db, platformId }: ChangeContext,
  acceptable: readonly AcceptableFinancing[],
): Promise<number[]> {
  const merchants = acceptable.map(({ service }) => service.merchant_external_id);
  await lockMerchantAccounts(db, platformId, merchants);
  const balances = await listBalancesOfParties(db, platformId, 'merchant_setoff', merchants);
  const owedTo = new Map(balances.map(({ party, currency, amount }) => [`${party}/${currency}`, amount]));
  return acceptable.map(({ service, examination: { baseMinor, fee } }) => {
    const account = `${service.merchant_external_id}/${service.currency}`;
    const owedMinor = owedTo.get(account) ?? 0;
    const setOffMinor = Math.max(0, Math.min(owedMinor, baseMinor - fee.fee_net - fee.fee_tax));
    owedTo.set(account, owedMinor - setOffMinor);
    return setOffMinor;
  });
}

/**
 * Undoes the acceptance of a locked service, and ends the service. Throws INVALID_STATUS_TRANSITION if the bank is instructed, or if a
 * part of the invoice was paid or credited since.
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
    throw refusal('INVALID_STATUS_TRANSITION', 'A part of the invoice has since been paid or credited', {
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
    const change = { invoiceExternalId: invoice.external_id, changeMinor: -service.credit_amount };
    await addFinancedCredit(db, platformId, [change]);
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
