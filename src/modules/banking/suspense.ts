/** Money with an unknown purpose: on the ledger's account `suspense`, from the booking of the bank until it is matched. */
import { dayLater } from '#kernel/day';
import { transitionOf } from '#kernel/lifecycle';
import { endOfLocalDay } from '#kernel/local-day';
import { credit, debit, findJournalEntry, type Posting, post, reversalOf } from '#modules/ledger';
import type { BankTransactionRow } from './bank-entry.queries.ts';
import { bankTransactionLifecycle } from './bank-transaction.lifecycle.ts';
import {
  type EntryTransaction,
  type TransactionChange,
  writeTransitions,
} from './bank-transaction.queries.ts';
import type { BankingContext } from './banking-context.ts';
import type { QueueReason } from './matching.rules.ts';

/** When the bank booked it: the beginning of its day on the platform, never later than now. Unix seconds. */
export function bookedAt(
  { booked_on }: Pick<EntryTransaction, 'booked_on'>,
  { now, timeZone }: Pick<BankingContext, 'now' | 'timeZone'>,
): number {
  return Math.min(now, endOfLocalDay(dayLater(booked_on, -1), timeZone));
}

function suspensePosting(transaction: EntryTransaction, effectiveAt: number, actor: string): Posting {
  const { amount, bank_account: account, currency } = transaction;
  return {
    ...{ cause: 'SUSPENSE_RECORDED', currency, effectiveAt, actor },
    lines: [debit('bank', amount, account), credit('suspense', amount)],
  };
}

/** A transaction for the queue. */
interface QueuedMoney {
  transaction: EntryTransaction;
  reason: QueueReason;
  /** From when its money is in suspense, in Unix seconds. Default: when the bank booked it. */
  since?: number;
}

/** Puts locked transactions into the queue, and their money into suspense. */
export async function queueTransactions(
  context: BankingContext,
  queued: readonly QueuedMoney[],
  { trigger, reason }: { trigger: 'queue' | 'unmatch'; reason: string | null },
): Promise<void> {
  if (queued.length === 0) return;
  const { db, platformId, actor, now } = context;
  const entries = await post(
    db,
    platformId,
    queued.map(({ transaction, since = bookedAt(transaction, context) }) =>
      suspensePosting(transaction, since, actor),
    ),
  );
  const changes = queued.map(
    ({ transaction, reason: queueReason }, index): TransactionChange => ({
      ...{ transaction, trigger, queueReason, ledgerEntry: entries[index] as string },
      to: transitionOf(bankTransactionLifecycle, transaction.status, trigger).to,
    }),
  );
  await writeTransitions(db, platformId, changes, { actor, now, reason });
}

/** Reverses the entry that holds a queued transaction in suspense; does nothing for one that is not queued. */
export async function clearSuspense(
  { db, platformId, actor }: BankingContext,
  { status, ledger_entry: entryId }: BankTransactionRow,
  effectiveAt: number | null,
): Promise<void> {
  if (status !== 'QUEUED') return;
  const entry = await findJournalEntry(db, platformId, entryId as string);
  if (!entry) throw new Error(`There is no entry ${entryId} for a queued transaction.`);
  const at = effectiveAt ?? entry.belongs_to_at ?? entry.effective_at;
  await post(db, platformId, [reversalOf(entry, { cause: 'SUSPENSE_CLEARED', effectiveAt: at, actor })]);
}

/** The payments of a batch have arrived: the transaction of the whole entry no longer counts. */
export async function replaceByDetails(
  context: BankingContext,
  wholes: readonly BankTransactionRow[],
): Promise<void> {
  const { db, platformId, actor, now } = context;
  for (const whole of wholes) await clearSuspense(context, whole, null);
  const changes = wholes.map(
    (transaction): TransactionChange => ({
      ...{ transaction, trigger: 'detail', queueReason: null, ledgerEntry: null },
      to: transitionOf(bankTransactionLifecycle, transaction.status, 'detail').to,
    }),
  );
  await writeTransitions(db, platformId, changes, { actor, now, reason: null });
}
