/** Forms payouts from waiting lines: the daily run of a platform, then the merchants that it has found. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { isWeekend } from '#kernel/bank-holidays';
import { addBusinessDays, isBusinessDay } from '#kernel/business-day';
import { dayLater, firstDayFrom, LAST_DAY } from '#kernel/day';
import { endOfLocalDay, localDayOf } from '#kernel/local-day';
import { credit, debit, listBalancesOfParties, listInvoiceBalances, post } from '#modules/ledger';
import { listPayableMerchants, lockPayableInstructions } from '#modules/payees';
import { findPlatform, findTimeZone, type PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import { findCalendars } from './business-calendars.ts';
import { instructionFor, setOffOf, type WaitingForMerchant, withDebts } from './payout.rules.ts';
import { insertPayoutLines, joinWaitingLines, listWaitingSums } from './payout-line.queries.ts';
import {
  findNextRun,
  findPlatformsToRun,
  lockMerchantAccounts,
  lockRun,
  payingMerchants,
  setNextRun,
  setPaying,
  takePaying,
} from './payout-run.queries.ts';
import { schedulePayouts } from './transition-payouts.ts';

/** Payouts of twenty merchants with a hundred services each are formed in about 0.2 s, while requests run. */
const MERCHANTS_TOGETHER_MAX = 20;

/** Collects what is to be paid, at the beginning of each weekday. Platforms wait until they have an account that can be paid. */
export const payoutRuns: DueSource<unknown, 'payout'> = {
  findPlatforms: findPlatformsToRun,
  async findNext(db, platformId, until, _countMax, except) {
    const run = await findNextRun(db, platformId, until);
    const hasFailed = except.some(({ resource, trigger }) => resource === 'payout' && trigger === 'collect');
    return run === undefined || hasFailed ? [] : [run];
  },
  togetherMax: 1,
  async make(db, platformId, [run]) {
    if (run) await inTransaction(db, (transaction) => makeRun(transaction, platformId, run.dueAt));
    // A run is not a transition.
    return [];
  },
};

/** Forms the payouts of merchants: one for each account, currency and day. */
export const formedPayouts: DueSource<unknown, 'payout'> = {
  ...payingMerchants,
  togetherMax: MERCHANTS_TOGETHER_MAX,
  make: (db, platformId, due) =>
    inTransaction(db, (transaction) => formPayouts(transaction, platformId, due)),
};

/**
 * Makes every run up to the instant of the context, each with the payouts that it leads to, in the transaction of the context. Returns
 * the external_ids of the payouts.
 */
export async function formPayoutsUntilNow({
  db,
  platformId,
  now,
}: Pick<ChangeContext, 'db' | 'platformId' | 'now'>): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const run = await findNextRun(db, platformId, now);
    if (run === undefined) return ids;
    await makeRun(db, platformId, run.dueAt);
    const due = await payingMerchants.findNext(db, platformId, now, MERCHANTS_TOGETHER_MAX, []);
    if (due.length === 0) continue;
    const formed = await formPayouts(db, platformId, due);
    ids.push(...formed.map(({ externalId }) => externalId));
  }
}

async function makeRun(db: ChangeContext['db'], platformId: number, at: number): Promise<void> {
  if ((await lockRun(db, platformId)) > at) return;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const today = localDayOf(at, platform.time_zone);
  const next = firstDayFrom(dayLater(today, 1), (day) => !isWeekend(day));
  await setNextRun(db, platformId, endOfLocalDay(dayLater(next, -1), platform.time_zone));
  const merchants = await listPayableMerchants(db, platformId, at);
  await collect({ db, platformId, actor: 'service', now: at }, platform, merchants, today);
  const waiting = await listWaitingSums(db, platformId, merchants, today);
  const overpaid = await listOverpaidBy(db, platformId, merchants);
  // In one statement: two would lock accounts out of order.
  const paying = [...waiting.map(({ merchant_external_id: merchant }) => merchant), ...overpaid];
  await setPaying(db, platformId, paying, at);
}

/** The merchants that paid more than they owed: they are paid back even if nothing else waits for them. */
async function listOverpaidBy(
  db: ChangeContext['db'],
  platformId: number,
  merchants: readonly string[],
): Promise<string[]> {
  const owed = await listBalancesOfParties(db, platformId, 'merchant_setoff', merchants);
  return owed.filter(({ amount }) => amount < 0).map(({ party }) => party);
}

/** Turns money that buyers paid for merchants since the last run into lines, and money that was taken back into negative lines. */
async function collect(
  context: ChangeContext,
  { min_payout_business_day: minBusinessDays }: PlatformRow,
  merchants: readonly string[],
  today: string,
): Promise<void> {
  const { db, platformId, actor, now } = context;
  const owed = await listBalancesOfParties(db, platformId, 'merchant_payable', merchants);
  const parties = [...new Set(owed.map(({ party }) => party))];
  if (parties.length === 0) return;
  await lockMerchantAccounts(db, platformId, parties);
  const calendarOf = await findCalendars(db, platformId);
  const balances = await listInvoiceBalances(db, platformId, 'merchant_payable', parties);
  await insertPayoutLines(
    db,
    platformId,
    balances.map(({ party, currency, invoice_external_id, amount }) => ({
      line_id: randomUUID(),
      merchant_external_id: party,
      currency,
      kind: 'COLLECTED',
      invoice_external_id,
      service_external_id: null,
      amount: -amount,
      // Money that was taken back is deducted from the next payout, regardless of its day.
      earliest_on: amount > 0 ? today : addBusinessDays(calendarOf(currency), today, minBusinessDays),
      created_at: now,
      payout_external_id: null,
    })),
  );
  await post(
    db,
    platformId,
    balances.map(({ party, currency, invoice_external_id: invoiceExternalId, amount }) => ({
      cause: 'MERCHANT_MONEY_DUE',
      currency,
      effectiveAt: now,
      actor,
      documents: { invoiceExternalId },
      lines: [debit('merchant_payable', -amount, party), credit('payout_clearing', -amount)],
    })),
  );
}

/** Lines without an account, and lines in a currency without a business day today, wait for the next run. */
async function formPayouts(
  db: ChangeContext['db'],
  platformId: number,
  due: readonly Due<'payout'>[],
): Promise<Due<'payout'>[]> {
  const [{ dueAt: now }] = due as [Due];
  const context = { db, platformId, actor: 'service', now };
  const named = due.map(({ externalId }) => externalId);
  const merchants = await takePaying(db, platformId, named, now);
  const today = localDayOf(now, await findTimeZone(db, platformId));
  const calendarOf = await findCalendars(db, platformId);
  const waiting = (await listWaiting(db, platformId, merchants, today)).filter(({ currency }) =>
    isBusinessDay(calendarOf(currency), today),
  );
  if (waiting.length === 0) return [];
  const instructions = await lockPayableInstructions(db, platformId, merchants, now);
  const formed = waiting.flatMap(({ merchant, currency, dueMinor, owedMinor }) => {
    const own = instructions.filter((each) => each.merchant_external_id === merchant);
    const instruction = instructionFor(currency, own);
    const setOffMinor = setOffOf(dueMinor, owedMinor);
    return instruction === undefined || setOffMinor === null
      ? []
      : [{ merchant, currency, instruction, setOffMinor, amountMinor: dueMinor - setOffMinor }];
  });
  const payouts = await schedulePayouts(
    context,
    formed.map(({ merchant, currency, instruction, amountMinor }) => {
      const externalId = randomUUID();
      return {
        external_id: externalId,
        end_to_end_id: externalId.replaceAll('-', '').toUpperCase(),
        merchant_external_id: merchant,
        payout_instruction_external_id: instruction.external_id,
        scheme: instruction.type,
        currency,
        created_at: now,
        scheduled_on: today,
        amount: amountMinor,
        instruction_version: null,
        file_external_id: null,
        nets_at: amountMinor === 0 ? now : null,
        paid_at: null,
        failure_reason: null,
      };
    }),
  );
  const ids = payouts.map(({ external_id: payoutExternalId, merchant_external_id, currency }) => ({
    payoutExternalId,
    merchantExternalId: merchant_external_id,
    currency,
  }));
  await joinWaitingLines(db, platformId, ids, today);
  await setOff(
    context,
    ids.map((each, index) => ({ ...each, amountMinor: formed[index]?.setOffMinor ?? 0 })),
    today,
  );
  return payouts.map(({ external_id: externalId }) => ({
    dueAt: now,
    resource: 'payout',
    externalId,
    trigger: 'schedule',
  }));
}

async function listWaiting(
  db: ChangeContext['db'],
  platformId: number,
  merchants: readonly string[],
  today: string,
): Promise<WaitingForMerchant[]> {
  const payable = await listWaitingSums(db, platformId, merchants, today);
  const debts = await listBalancesOfParties(db, platformId, 'merchant_setoff', merchants);
  const isOverpaid = debts.some(({ amount }) => amount < 0);
  const waiting = isOverpaid ? await listWaitingSums(db, platformId, merchants, LAST_DAY) : payable;
  return withDebts(payable, waiting, debts);
}

interface SetOff {
  payoutExternalId: string;
  merchantExternalId: string;
  currency: PlatformRow['currency'] & Parameters<typeof isBusinessDay>[0]['currency'];
  amountMinor: number;
}

/** Deducts the debts of merchants: each is a line of the payout and an entry that settles the debt. */
async function setOff(context: ChangeContext, all: readonly SetOff[], today: string): Promise<void> {
  const { db, platformId, actor, now } = context;
  const setOffs = all.filter(({ amountMinor }) => amountMinor !== 0);
  await insertPayoutLines(
    db,
    platformId,
    setOffs.map(({ payoutExternalId, merchantExternalId, currency, amountMinor }) => ({
      line_id: randomUUID(),
      merchant_external_id: merchantExternalId,
      currency,
      kind: 'SET_OFF',
      invoice_external_id: null,
      service_external_id: null,
      amount: -amountMinor,
      earliest_on: today,
      created_at: now,
      payout_external_id: payoutExternalId,
    })),
  );
  await post(
    db,
    platformId,
    setOffs.map(({ payoutExternalId, merchantExternalId, currency, amountMinor }) => ({
      cause: 'DEBT_SET_OFF',
      currency,
      effectiveAt: now,
      actor,
      documents: { payoutExternalId },
      lines: [
        debit('payout_clearing', amountMinor),
        credit('merchant_setoff', amountMinor, merchantExternalId),
      ],
    })),
  );
}
