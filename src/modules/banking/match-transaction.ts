/** Matches of bank transactions other than invoices: charges, payouts and reversals. */
import { transitionOf } from '#kernel/lifecycle';
import { Problem } from '#kernel/problem';
import { reversePayment } from '#modules/invoices';
import { credit, debit, findJournalEntry, post, reversalOf } from '#modules/ledger';
import type { PayoutRow } from '#modules/payouts';
import { openTransactionDetails } from './bank-details.ts';
import { type BankTransactionTrigger, bankTransactionLifecycle } from './bank-transaction.lifecycle.ts';
import {
  type BankMatch,
  type EntryTransaction,
  insertMatches,
  listMatches,
  type TransactionChange,
  writeTransitions,
} from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { confirmByTransaction, takePayoutBack } from './match-payout.ts';
import { bookedAt, clearSuspense } from './suspense.ts';

/** One part of a match. */
type MatchedPart = Pick<BankMatch, 'kind' | 'amountMinor'> &
  Partial<
    Pick<BankMatch, 'invoiceExternalId' | 'paymentExternalId' | 'reversedTransactionId' | 'payoutExternalId'>
  >;

interface MatchedTransaction {
  transaction: EntryTransaction;
  parts: readonly MatchedPart[];
  /** The entry that books it; null if a payment does. */
  ledgerEntry: string | null;
}

/** Books a locked transaction as a charge of the bank, or as a refund of one. */
export async function matchCharge(
  context: MatchingContext,
  transaction: EntryTransaction,
  reason: string | null,
): Promise<void> {
  const { db, platformId, actor } = context;
  const { amount, bank_account: account, currency } = transaction;
  await clearSuspense(context, transaction, null);
  const [entry] = await post(db, platformId, [
    {
      ...{ cause: 'BANK_CHARGED', currency, effectiveAt: bookedAt(transaction, context), actor },
      lines: [debit('bank', amount, account), credit('bank_charges', amount)],
    },
  ]);
  const parts = [{ kind: 'CHARGE', amountMinor: amount } as const];
  await writeMatches(context, [{ transaction, parts, ledgerEntry: entry as string }], reason);
}

/**
 * Matches a locked transaction with the payout that it paid, or whose money it returns. Returns false, and changes nothing, for outgoing
 * money if the payout was not to be paid, or another transaction has paid it.
 */
export async function matchPayout(
  context: MatchingContext,
  transaction: EntryTransaction,
  payout: PayoutRow,
  reason: string | null,
): Promise<boolean> {
  const { amount } = transaction;
  const { external_id: payoutExternalId } = payout;
  if (amount < 0) {
    if (!(await confirmByTransaction(context, transaction, payout))) return false;
  } else {
    const { returnReason } = openTransactionDetails(context.vault, transaction);
    const effectiveAt = bookedAt(transaction, context);
    const grounds = { effectiveAt, reason: returnReason || 'The money came back.' };
    await takePayoutBack(context, transaction, payoutExternalId, grounds);
  }
  await clearSuspense(context, transaction, null);
  const parts = [{ kind: 'PAYOUT', amountMinor: amount, payoutExternalId } as const];
  await writeMatches(context, [{ transaction, parts, ledgerEntry: null }], reason);
  return true;
}

/** A locked transaction reverses another one, which is locked too: its payments, its charge, or its place in the queue. */
export async function matchReversal(
  context: MatchingContext,
  transaction: EntryTransaction,
  original: EntryTransaction,
  reason: string | null,
): Promise<void> {
  await clearSuspense(context, transaction, null);
  const { returnReason } = openTransactionDetails(context.vault, transaction);
  await undo(context, original, bookedAt(transaction, context), returnReason || 'The bank took it back.');
  const { db, platformId, actor, now } = context;
  await writeTransitions(db, platformId, [changeOf(original, 'reverse', null)], { actor, now, reason });
  const part: MatchedPart = {
    ...{ kind: 'REVERSAL', amountMinor: transaction.amount },
    reversedTransactionId: original.transaction_id,
  };
  await writeMatches(context, [{ transaction, parts: [part], ledgerEntry: null }], reason);
}

/**
 * Undoes the effects of a locked transaction on invoices and on the ledger, as of `effectiveAt`. Returns the instant from which its account
 * lacks the money: `effectiveAt`, or a later one at which the platform reversed a payment of it.
 */
export async function undo(
  context: MatchingContext,
  transaction: EntryTransaction,
  effectiveAt: number,
  reason: string,
): Promise<number> {
  let since = effectiveAt;
  if (transaction.status === 'QUEUED') {
    await clearSuspense(context, transaction, effectiveAt);
    return since;
  }
  const { db, platformId, actor } = context;
  for (const match of await listMatches(db, platformId, transaction)) {
    const { invoiceExternalId, paymentExternalId, payoutExternalId } = match;
    if (payoutExternalId !== null)
      await takePayoutBack(context, transaction, payoutExternalId, { effectiveAt, reason });
    if (invoiceExternalId === null || paymentExternalId === null) continue;
    const payment = { invoiceExternalId, externalId: paymentExternalId };
    const reversedAt = await reversePayment(context, payment, reason, effectiveAt).then(
      () => 0,
      reversedBefore,
    );
    since = Math.max(since, reversedAt);
  }
  if (transaction.ledger_entry === null) return since;
  const entry = await findJournalEntry(db, platformId, transaction.ledger_entry);
  if (entry) await post(db, platformId, [reversalOf(entry, { cause: entry.cause, effectiveAt, actor })]);
  return since;
}

/** Returns when the platform reversed the payment itself: then nothing is left to undo. Throws any other error. */
function reversedBefore(error: unknown): number {
  if (!(error instanceof Problem) || error.reason !== 'PAYMENT_ALREADY_REVERSED') throw error;
  return error.details?.reversed_at as number;
}

/** Writes the purposes of locked transactions. */
export async function writeMatches(
  { db, platformId, actor, now }: MatchingContext,
  matched: readonly MatchedTransaction[],
  reason: string | null,
): Promise<void> {
  const changes = matched.map(({ transaction, ledgerEntry }) => changeOf(transaction, 'match', ledgerEntry));
  await writeTransitions(db, platformId, changes, { actor, now, reason });
  const none = {
    ...{ invoiceExternalId: null, paymentExternalId: null },
    ...{ reversedTransactionId: null, payoutExternalId: null },
  };
  const matches = matched.flatMap(({ transaction, parts }) =>
    parts.map((part, index) => ({
      ...none,
      ...part,
      transactionId: transaction.transaction_id,
      version: transaction.version + 1,
      position: index + 1,
    })),
  );
  await insertMatches(db, platformId, matches);
}

function changeOf(
  transaction: EntryTransaction,
  trigger: BankTransactionTrigger,
  ledgerEntry: string | null,
): TransactionChange {
  const { to } = transitionOf(bankTransactionLifecycle, transaction.status, trigger);
  return { transaction, to, trigger, queueReason: null, ledgerEntry };
}
