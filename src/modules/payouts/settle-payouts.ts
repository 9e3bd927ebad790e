/** The outcomes of payouts that banks and operators report: paid, failed, returned, made again or cancelled. */
import { inTransaction } from '#infra/database/transaction';
import type { DueSource } from '#infra/time/due-transitions';
import { nextBusinessDay } from '#kernel/business-day';
import { localDayOf } from '#kernel/local-day';
import { notFound, refusal } from '#kernel/problem';
import { credit, debit, MAIN_BANK_ACCOUNT, type Posting, post } from '#modules/ledger';
import { disburseOrders } from '#modules/orders';
import { lockPayableInstructions } from '#modules/payees';
import { findTimeZone } from '#modules/platforms';
import { transitionServices } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { findCalendars } from './business-calendars.ts';
import { lockPaidFor, lockPayoutsAndAccounts, type PaidForLocked } from './lock-payouts.ts';
import { payoutLifecycle } from './payout.lifecycle.ts';
import { findPayouts, nettingPayouts, type PayoutGrounds, type PayoutRow } from './payout.queries.ts';
import { instructionFor } from './payout.rules.ts';
import { listLinesOfPayouts, releaseLines } from './payout-line.queries.ts';
import { lockMerchantAccounts } from './payout-run.queries.ts';
import { transitionPayouts } from './transition-payouts.ts';

const NETTED_TOGETHER_MAX = 20;

/** The data of a payment from a bank statement. */
export interface BankGrounds extends PayoutGrounds {
  /** When the bank booked it, in unix seconds. Default: now. */
  bookedAt?: number;
  /** The bank account, by its name in the ledger. Default: the main one. */
  bankAccount?: string;
}

/**
 * Records that the bank has paid these payouts: their services are paid out, and the orders of these disbursed. Throws NOT_FOUND for an
 * unknown payout, and INVALID_STATUS_TRANSITION unless all are INSTRUCTED. If it throws, nothing changes.
 */
export async function confirmPayouts(
  context: ChangeContext,
  externalIds: readonly string[],
  grounds: BankGrounds = {},
): Promise<PayoutRow[]> {
  const locked = await lockPaidFor(context, externalIds);
  assertAll(locked.payouts, externalIds);
  const paidAt = grounds.bookedAt ?? context.now;
  const paid = await transitionPayouts(
    context,
    locked.payouts,
    'confirm',
    () => ({ paid_at: paidAt, failure_reason: null }),
    grounds,
  );
  await postTransfers(context, paid, 'PAYOUT_PAID', grounds);
  await payOutServices(context, locked, paidAt);
  return paid;
}

/** Records that the bank has rejected these payouts. Throws NOT_FOUND, and INVALID_STATUS_TRANSITION unless all are INSTRUCTED. */
export async function failPayouts(
  context: ChangeContext,
  externalIds: readonly string[],
  grounds: PayoutGrounds & { reason: string },
): Promise<PayoutRow[]> {
  const payouts = await lockPayoutsAndAccounts(context, externalIds);
  assertAll(payouts, externalIds);
  return transitionPayouts(context, payouts, 'fail', () => ({ failure_reason: grounds.reason }), grounds);
}

/**
 * Records that the money of these payouts came back: it is owed to the merchants again. Their services stay paid out. Throws NOT_FOUND,
 * and INVALID_STATUS_TRANSITION unless all were transferred.
 */
export async function returnPayouts(
  context: ChangeContext,
  externalIds: readonly string[],
  grounds: BankGrounds & { reason: string },
): Promise<PayoutRow[]> {
  const payouts = await lockPayoutsAndAccounts(context, externalIds);
  assertAll(payouts, externalIds);
  for (const { amount, status, external_id } of payouts)
    if (amount === 0)
      throw refusal('INVALID_STATUS_TRANSITION', `The payout ${external_id} transferred no money`, {
        ...{ status, trigger: 'return', allowed: [] },
      });
  const returned = await transitionPayouts(
    context,
    payouts,
    'return',
    () => ({ paid_at: null, failure_reason: grounds.reason }),
    grounds,
  );
  await postTransfers(context, returned, 'PAYOUT_RETURNED', grounds);
  return returned;
}

/**
 * Schedules a failed payout again, on the next business day, to the merchant's current account. Throws NOT_FOUND,
 * INVALID_STATUS_TRANSITION, and NO_VERIFIED_PAYOUT_INSTRUCTION.
 */
export async function retryPayout(
  context: ChangeContext,
  externalId: string,
  grounds: PayoutGrounds,
): Promise<PayoutRow> {
  const { db, platformId, now } = context;
  const [found] = await findPayouts(db, platformId, [externalId]);
  if (!found) throw notFound();
  const { merchant_external_id: merchant, currency } = found;
  await lockMerchantAccounts(db, platformId, [merchant]);
  const instruction = instructionFor(
    currency,
    await lockPayableInstructions(db, platformId, [merchant], now),
  );
  const payouts = await lockPayoutsAndAccounts(context, [externalId]);
  if (!instruction)
    throw refusal(
      'NO_VERIFIED_PAYOUT_INSTRUCTION',
      'The merchant has no verified account for this currency',
      { merchant_external_id: merchant, currency },
    );
  const calendarOf = await findCalendars(db, platformId);
  const today = localDayOf(now, await findTimeZone(db, platformId));
  const changes = {
    payout_instruction_external_id: instruction.external_id,
    scheme: instruction.type,
    instruction_version: null,
    // The next file contains it again.
    file_external_id: null,
    scheduled_on: nextBusinessDay(calendarOf(currency), today),
    failure_reason: null,
  };
  const [scheduled] = await transitionPayouts(context, payouts, 'retry', () => changes, grounds);
  return scheduled as PayoutRow;
}

/**
 * Cancels payouts that are not released: their lines wait for the next run, and deducted debts are owed again. Throws NOT_FOUND and
 * INVALID_STATUS_TRANSITION.
 */
export async function cancelPayouts(
  context: ChangeContext,
  externalIds: readonly string[],
  grounds: PayoutGrounds,
): Promise<PayoutRow[]> {
  const { db, platformId, actor, now } = context;
  const found = await findPayouts(db, platformId, externalIds);
  await lockMerchantAccounts(
    db,
    platformId,
    found.map(({ merchant_external_id }) => merchant_external_id),
  );
  const payouts = await lockPayoutsAndAccounts(context, externalIds);
  assertAll(payouts, externalIds);
  const cancelled = await transitionPayouts(context, payouts, 'cancel', () => ({ nets_at: null }), grounds);
  const lines = await listLinesOfPayouts(db, platformId, externalIds);
  await post(
    db,
    platformId,
    lines
      .filter(({ kind }) => kind === 'SET_OFF')
      .map(({ merchant_external_id: merchant, currency, amount, payout_external_id: payoutExternalId }) => ({
        cause: 'SET_OFF_CANCELLED',
        currency,
        effectiveAt: now,
        actor,
        documents: { payoutExternalId },
        lines: [debit('merchant_setoff', -amount, merchant), credit('payout_clearing', -amount)],
      })),
  );
  await releaseLines(db, platformId, externalIds);
  return cancelled;
}

/** Payouts that debts of the merchant take completely. Nothing is transferred, and they are paid. */
export const nettedPayouts: DueSource<unknown, 'payout'> = {
  ...nettingPayouts,
  togetherMax: NETTED_TOGETHER_MAX,
  make: (db, platformId, due) =>
    inTransaction(db, async (transaction) => {
      const now = due[0]?.dueAt ?? 0;
      const context = { db: transaction, platformId, actor: 'service', now };
      const ids = due.map(({ externalId }) => externalId);
      const locked = await lockPaidFor(context, ids);
      const payouts = locked.payouts.filter(({ nets_at }) => nets_at !== null && nets_at <= now);
      await transitionPayouts(context, payouts, 'set_off', () => ({ nets_at: null, paid_at: now }));
      const netted = new Set(payouts.map(({ external_id }) => external_id));
      await payOutServices(context, { ...locked, payouts }, now);
      return due.filter(({ externalId }) => netted.has(externalId));
    }),
};

function assertAll(payouts: readonly PayoutRow[], externalIds: readonly string[]): void {
  if (payouts.length < new Set(externalIds).size) throw notFound();
}

function postTransfers(
  { db, platformId, actor, now }: ChangeContext,
  payouts: readonly PayoutRow[],
  cause: 'PAYOUT_PAID' | 'PAYOUT_RETURNED',
  { bookedAt = now, bankAccount = MAIN_BANK_ACCOUNT, approvedBy = null }: BankGrounds,
): Promise<string[]> {
  const sign = cause === 'PAYOUT_PAID' ? 1 : -1;
  return post(
    db,
    platformId,
    payouts.map(
      ({ external_id: payoutExternalId, currency, amount }): Posting => ({
        ...{ cause, currency, effectiveAt: bookedAt, actor, approvedBy },
        documents: { payoutExternalId },
        lines: [debit('payout_clearing', sign * amount), credit('bank', sign * amount, bankAccount)],
      }),
    ),
  );
}

/** Pays out services. A service that was already paid out, by a payout that came back, stays paid out. */
async function payOutServices(
  context: ChangeContext,
  { services, orderExternalIds, payouts }: PaidForLocked,
  paidAt: number,
): Promise<void> {
  if (payouts.length === 0) return;
  await disburseOrders(context, orderExternalIds);
  const accepted = services.filter(({ status }) => status === 'ACCEPTED');
  await transitionServices(
    context,
    accepted.map((service) => ({ ...service, changes: { paid_out_at: paidAt } })),
    'pay_out',
  );
}

/** Whether the payout can still be cancelled. */
export const isPayoutCancellable = ({ status }: PayoutRow): boolean =>
  payoutLifecycle.transitions.some(({ from, trigger }) => from === status && trigger === 'cancel');
