/** An operator states the purpose of queued money, or undoes a match. */
import type { Currency } from '#kernel/currency';
import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import { type InvoiceRow, lockToSettle } from '#modules/invoices';
import { findPayouts } from '#modules/payouts';
import { type EntryTransaction, listMatches, lockTransaction } from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { matchInvoices } from './match-invoices.ts';
import { matchCharge, matchPayout, matchReversal, undo } from './match-transaction.ts';
import type { InvoicePart } from './matching.rules.ts';
import { moneyText } from './money-text.ts';
import { findChargesOwed, findResidues, namedInvoices } from './named-invoices.ts';
import { bookedAt, queueTransactions } from './suspense.ts';

/** The purpose of a transaction that an operator states. */
export type OperatorMatch =
  /** Null: the amount that the invoice owes, or for the last invoice the rest of the transaction. */
  | { kind: 'INVOICES'; invoices: readonly { externalId: string; amountMinor: number | null }[] }
  | { kind: 'CHARGE' }
  | { kind: 'PAYOUT'; payoutExternalId: string }
  | { kind: 'REVERSAL'; originalId: string };

/** Matches a queued transaction; amounts are in its currency. Returns the transaction before the match. Throws StartRefused. */
export async function matchByOperator(
  context: MatchingContext,
  transactionId: string,
  matchIn: (currency: Currency) => OperatorMatch,
  reason: string,
): Promise<EntryTransaction> {
  const transaction = await lockKnown(context, transactionId);
  const { status, currency } = transaction;
  const match = matchIn(currency);
  if (status !== 'QUEUED')
    throw new StartRefused(
      `The transaction ${transactionId} is ${status}: only a QUEUED transaction can be matched.`,
    );
  if (match.kind === 'CHARGE') await matchCharge(context, transaction, reason);
  else if (match.kind === 'PAYOUT') await confirm(context, transaction, match.payoutExternalId, reason);
  else if (match.kind === 'REVERSAL') await reverse(context, transaction, match.originalId, reason);
  else {
    const { parts, invoices } = await partsOf(context, transaction, match.invoices);
    await matchInvoices(context, [{ transaction, parts }], { invoices, reason }).catch((error: unknown) => {
      throw error instanceof Problem ? new StartRefused(`${error.message}.`) : error;
    });
  }
  return transaction;
}

async function lockKnown(
  { db, platformId }: MatchingContext,
  transactionId: string,
): Promise<EntryTransaction> {
  const transaction = isUuid(transactionId)
    ? await lockTransaction(db, platformId, transactionId)
    : undefined;
  if (transaction) return transaction;
  throw new StartRefused(`There is no bank transaction ${transactionId}: see tradeline bank queue.`);
}

async function reverse(
  context: MatchingContext,
  transaction: EntryTransaction,
  originalId: string,
  reason: string,
): Promise<void> {
  const original = await lockKnown(context, originalId);
  if (original.status !== 'QUEUED' && original.status !== 'MATCHED')
    throw new StartRefused(`The transaction ${originalId} is ${original.status}: it cannot be reversed.`);
  if (
    original.amount !== -transaction.amount ||
    original.currency !== transaction.currency ||
    original.bank_account !== transaction.bank_account
  )
    throw new StartRefused(
      `The transaction ${originalId} is ${moneyText(original.amount, original.currency)} on ${original.bank_account}, ` +
        `not the opposite of ${moneyText(transaction.amount, transaction.currency)} on ${transaction.bank_account}.`,
    );
  await assertNoReversal(context, original);
  await matchReversal(context, transaction, original, reason);
}

/** For payment schemes that lose the EndToEndId. */
async function confirm(
  context: MatchingContext,
  transaction: EntryTransaction,
  payoutExternalId: string,
  reason: string,
): Promise<void> {
  const [payout] = await findPayouts(context.db, context.platformId, [payoutExternalId]);
  if (!payout) throw new StartRefused(`There is no payout ${payoutExternalId}.`);
  const { amount, currency } = transaction;
  if (payout.amount !== -amount || payout.currency !== currency)
    throw new StartRefused(
      `The payout ${payoutExternalId} is ${moneyText(payout.amount, payout.currency)}, but the outgoing payment is ` +
        `${moneyText(-amount, currency)}.`,
    );
  if (!(await matchPayout(context, transaction, payout, reason)))
    throw new StartRefused(
      `The payout ${payoutExternalId} is ${payout.status}, or another transaction already paid it.`,
    );
}

/**
 * The parts that the operator means, with their locked invoices: together the whole amount. Without a given amount, an invoice gets at
 * most what it owes, and the last one the rest.
 */
async function partsOf(
  context: MatchingContext,
  { amount, currency, transaction_id }: EntryTransaction,
  wanted: readonly { externalId: string; amountMinor: number | null }[],
): Promise<{ parts: InvoicePart[]; invoices: ReadonlyMap<string, InvoiceRow> }> {
  if (amount < 0)
    throw new StartRefused(
      `The transaction ${transaction_id} is an outgoing payment, which cannot pay an invoice.`,
    );
  const ids = wanted.map(({ externalId }) => externalId);
  if (new Set(ids).size < ids.length) throw new StartRefused('The same invoice is named twice.');
  const locked = await lockToSettle(context, [...ids].sort());
  const missing = ids.find((id) => !locked.has(id));
  if (missing !== undefined) throw new StartRefused(`There is no invoice ${missing}.`);
  const invoices = ids.flatMap((id) => locked.get(id) ?? []);
  const residues = await findResidues(context, invoices);
  const named = namedInvoices(invoices, residues, await findChargesOwed(context, invoices));
  const foreign = named.find((invoice) => invoice.currency !== currency);
  if (foreign)
    throw new StartRefused(
      `The invoice ${foreign.externalId} is in ${foreign.currency}, but the money is in ${currency}.`,
    );
  let restMinor = amount;
  const parts = named.map(({ externalId, outstandingMinor, residueMinor }, index): InvoicePart => {
    const isLast = index === named.length - 1;
    const { amountMinor: saidMinor = null } = wanted[index] ?? {};
    const amountMinor = saidMinor ?? (isLast ? restMinor : Math.min(outstandingMinor, restMinor));
    restMinor -= amountMinor;
    const missingMinor = outstandingMinor - amountMinor;
    const isResidue = saidMinor === null && missingMinor > 0 && missingMinor <= residueMinor;
    return { externalId, amountMinor, differenceMinor: isResidue ? missingMinor : 0 };
  });
  if (restMinor !== 0 || parts.some(({ amountMinor }) => amountMinor <= 0))
    throw new StartRefused(
      `The parts must be more than 0 and sum to ${moneyText(amount, currency)}: ${moneyText(restMinor, currency)} are left.`,
    );
  return { parts, invoices: locked };
}

/** Puts a matched transaction back into the queue, and undoes the effects of the match. Throws StartRefused. */
export async function unmatchByOperator(
  context: MatchingContext,
  transactionId: string,
  reason: string,
): Promise<EntryTransaction> {
  const transaction = await lockKnown(context, transactionId);
  const { status, amount } = transaction;
  if (status !== 'MATCHED')
    throw new StartRefused(
      `The transaction ${transactionId} is ${status}: only a MATCHED transaction can be put back into the queue.`,
    );
  await assertNoReversal(context, transaction, true);
  // As of the day of the bank: a later match books its money from that day too, and the account has it once.
  const since = await undo(context, transaction, bookedAt(transaction, context), reason).catch(
    (error: unknown) => {
      throw error instanceof Problem ? new StartRefused(`${error.message}.`) : error;
    },
  );
  const queued = { transaction, reason: amount > 0 ? 'NOTHING_NAMED' : 'OUTGOING', since } as const;
  await queueTransactions(context, [queued], { trigger: 'unmatch', reason });
  return transaction;
}

/** A reversal cannot be undone: the reversed money is no longer in the account. */
async function assertNoReversal(
  context: MatchingContext,
  transaction: EntryTransaction,
  isOnlyUnmatched = false,
): Promise<void> {
  const matches = await listMatches(context.db, context.platformId, transaction);
  const payout = matches.find(({ payoutExternalId }) => payoutExternalId !== null)?.payoutExternalId;
  if (payout && isOnlyUnmatched)
    throw new StartRefused(
      `The payout ${payout} is paid: if its money came back, record that with tradeline payout return.`,
    );
  if (matches.some(({ kind }) => kind === 'REVERSAL'))
    throw new StartRefused(
      `The transaction ${transaction.transaction_id} reversed another one, which cannot be undone.`,
    );
}
