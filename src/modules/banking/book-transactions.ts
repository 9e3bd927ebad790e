/** Books imported transactions: matches those that name their invoices; the others wait in the queue with their money in suspense. */

import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { findNamedInvoices, type InvoiceRow, lockToSettle, type PayableInvoice } from '#modules/invoices';
import {
  openEntryDetails,
  openTransactionDetails,
  referenceMac,
  type TransactionDetails,
} from './bank-details.ts';
import {
  BOOKING_PHASES,
  type BookingPhase,
  type EntryTransaction,
  listQueuedReversals,
  lockOriginals,
  lockReceived,
  lockTransaction,
} from './bank-transaction.queries.ts';
import type { MatchingContext } from './banking-context.ts';
import { type InvoiceMatch, matchInvoices } from './match-invoices.ts';
import { findPayoutOf } from './match-payout.ts';
import { matchCharge, matchPayout, matchReversal } from './match-transaction.ts';
import {
  decideParts,
  type MatchDecision,
  type NamedInvoice,
  type PaymentNames,
  paymentNamesIn,
  type QueueReason,
} from './matching.rules.ts';
import { findChargesOwed, findResidues, namedInvoices } from './named-invoices.ts';
import { queueTransactions } from './suspense.ts';

const TRANSACTIONS_AT_ONCE = 125;

export interface Booked {
  matched: number;
  queued: number;
}

/** Books every waiting transaction, at most 125 in a database transaction. If it is interrupted, the next call continues. */
export async function bookTransactions(
  db: Db,
  contextIn: (within: Db) => MatchingContext,
  onBooked: (count: number) => void = () => {},
): Promise<Booked> {
  const total: Booked = { matched: 0, queued: 0 };
  for (const phase of BOOKING_PHASES) {
    for (;;) {
      const booked = await inTransaction(db, (within) => bookSome(contextIn(within), phase));
      total.matched += booked.matched;
      total.queued += booked.queued;
      onBooked(total.matched + total.queued);
      if (booked.matched + booked.queued === 0) break;
    }
  }
  const reversed = await inTransaction(db, (within) => reverseQueued(contextIn(within)));
  return { matched: total.matched + reversed, queued: total.queued };
}

/** Statements arrive in any order: retries queued reversals whose original was unknown. Returns the number of matches. */
async function reverseQueued(context: MatchingContext): Promise<number> {
  const { db, platformId, vault } = context;
  let reversed = 0;
  for (const transactionId of await listQueuedReversals(db, platformId)) {
    const transaction = await lockTransaction(db, platformId, transactionId);
    if (transaction?.status !== 'QUEUED') continue;
    const details = openTransactionDetails(vault, transaction);
    if (await reverseOriginal(context, transaction, details)) reversed += 1;
  }
  return reversed;
}

/** Books every waiting transaction, in the database transaction of the context. */
export async function bookReceived(context: MatchingContext): Promise<void> {
  for (const phase of BOOKING_PHASES) {
    let booked: Booked;
    do booked = await bookSome(context, phase);
    while (booked.matched + booked.queued > 0);
  }
}

interface ReadTransaction {
  transaction: EntryTransaction;
  details: TransactionDetails;
}

/** Incoming money, with the references and numbers that it may name. */
interface Paying extends ReadTransaction {
  names: PaymentNames;
}

interface Queued {
  transaction: EntryTransaction;
  reason: QueueReason;
}

/** Books at most `TRANSACTIONS_AT_ONCE` transactions, in the database transaction of the context. */
async function bookSome(context: MatchingContext, phase: BookingPhase): Promise<Booked> {
  const { db, platformId, vault } = context;
  const received = (await lockReceived(db, platformId, { phase, countMax: TRANSACTIONS_AT_ONCE })).map(
    (transaction) => ({ transaction, details: openTransactionDetails(vault, transaction) }),
  );
  const queued = await BOOKERS[phase](context, received);
  await queueTransactions(context, queued, { trigger: 'queue', reason: null });
  return { matched: received.length - queued.length, queued: queued.length };
}

/** Each books the transactions that it can, and returns the others. */
const BOOKERS: Record<
  BookingPhase,
  (context: MatchingContext, received: readonly ReadTransaction[]) => Promise<Queued[]>
> = { IN: settleNamed, OUT: confirmPaid, BACK: reverseOriginals };

async function reverseOriginals(
  context: MatchingContext,
  received: readonly ReadTransaction[],
): Promise<Queued[]> {
  const queued: Queued[] = [];
  for (const { transaction, details } of received)
    if (!(await reverseOriginal(context, transaction, details)))
      queued.push({ transaction, reason: 'ORIGINAL_UNKNOWN' });
  return queued;
}

/** The original is a transaction, or a payout that an operator has confirmed. False if neither is known. */
async function reverseOriginal(
  context: MatchingContext,
  transaction: EntryTransaction,
  details: TransactionDetails,
): Promise<boolean> {
  const original = await findOriginal(context, transaction, details);
  if (original) {
    await matchReversal(context, transaction, original, null);
    return true;
  }
  const payout = transaction.amount > 0 ? await findPayoutOf(context, transaction, details) : undefined;
  if (payout?.status !== 'PAID') return false;
  await matchPayout(context, transaction, payout, null);
  return true;
}

/** Books charges of the bank and payouts. */
async function confirmPaid(
  context: MatchingContext,
  received: readonly ReadTransaction[],
): Promise<Queued[]> {
  const queued: Queued[] = [];
  for (const { transaction, details } of received) {
    const payout = await findPayoutOf(context, transaction, details);
    if (transaction.is_charge) await matchCharge(context, transaction, null);
    else if (!payout || !(await matchPayout(context, transaction, payout, null)))
      queued.push({ transaction, reason: 'OUTGOING' });
  }
  return queued;
}

/** Settles the invoices that transactions name, and books charges that the bank gave back. */
async function settleNamed(
  context: MatchingContext,
  received: readonly ReadTransaction[],
): Promise<Queued[]> {
  const queued: Queued[] = [];
  let paying: Paying[] = [];
  for (const read of received) {
    const { transaction } = read;
    if (transaction.is_charge) await matchCharge(context, transaction, null);
    else if (transaction.is_batch) queued.push({ transaction, reason: 'BATCH_WITHOUT_DETAILS' });
    else paying.push({ ...read, names: paymentNamesIn(read.details) });
  }
  while (paying.length > 0) {
    const { matches, invoices, others, later } = await decideTogether(context, paying);
    await matchInvoices(context, matches, { invoices, reason: null });
    queued.push(...others);
    paying = later;
  }
  return queued;
}

interface DecidedTogether {
  matches: InvoiceMatch[];
  /** The locked invoices of the matches. */
  invoices: ReadonlyMap<string, InvoiceRow>;
  others: Queued[];
  /** Transactions that name an invoice paid by an earlier match: they are decided on the amount still owed after it. */
  later: Paying[];
}

/** Decides on the amounts that invoices owe once they are locked. */
async function decideTogether(context: MatchingContext, paying: readonly Paying[]): Promise<DecidedTogether> {
  const found = await findNamedIn(context, paying);
  const residues = await findResidues(context, found);
  const charges = await findChargesOwed(context, found);
  const expected = decideOn(paying, namedInvoices(found, residues, charges));
  const ids = expected.flatMap(({ decision }) => partsOf(decision).map(({ externalId }) => externalId));
  const locked = await lockToSettle(context, [...new Set(ids)].sort());
  const known = found.map((invoice) => locked.get(invoice.external_id) ?? invoice);
  const result: DecidedTogether = { matches: [], invoices: locked, others: [], later: [] };
  const paid = new Set<string>();
  const owed = await findChargesOwed(context, known);
  for (const { read, named, decision } of decideOn(paying, namedInvoices(known, residues, owed))) {
    const { transaction } = read;
    const parts = partsOf(decision);
    if (named.some(({ externalId }) => paid.has(externalId))) result.later.push(read);
    else if ('reason' in decision) result.others.push({ transaction, reason: decision.reason });
    // An invoice that is not locked may have changed since.
    else if (parts.some(({ externalId }) => !locked.has(externalId)))
      result.others.push({ transaction, reason: 'SUM_DIFFERS' });
    else {
      for (const { externalId } of parts) paid.add(externalId);
      result.matches.push({ transaction, parts });
    }
  }
  return result;
}

const partsOf = (decision: MatchDecision) => ('parts' in decision ? decision.parts : []);

interface Decided {
  read: Paying;
  named: NamedInvoice[];
  decision: MatchDecision;
}

function decideOn(paying: readonly Paying[], known: readonly NamedInvoice[]): Decided[] {
  const byReference = new Map(known.map((invoice) => [invoice.paymentReference, invoice]));
  const byNumber = Map.groupBy(known, ({ invoiceNumber }) => invoiceNumber);
  return paying.map((read) => {
    const { transaction, names } = read;
    const money = { amountMinor: transaction.amount, currency: transaction.currency };
    const ofReferences = [...names.references].flatMap((reference) => byReference.get(reference) ?? []);
    const ofNumbers = [...names.numbers].flatMap((number) => byNumber.get(number) ?? []);
    const named = [...new Set([...ofReferences, ...ofNumbers])];
    return { read, named, decision: decideParts(money, names, named) };
  });
}

/** The one transaction that a reversal names. */
async function findOriginal(
  { db, platformId, vault }: MatchingContext,
  transaction: EntryTransaction,
  { references }: TransactionDetails,
): Promise<EntryTransaction | null> {
  const { bankReference } = openEntryDetails(vault, transaction);
  const macs = [...references, bankReference].filter(Boolean).map((each) => referenceMac(vault, each));
  const [found, another] = await lockOriginals(db, platformId, transaction, macs);
  return found && !another ? found : null;
}

async function findNamedIn(
  { db, platformId }: MatchingContext,
  paying: readonly Paying[],
): Promise<PayableInvoice[]> {
  const references = [...new Set(paying.flatMap(({ names }) => [...names.references]))];
  const numbers = [...new Set(paying.flatMap(({ names }) => [...names.numbers]))];
  return references.length + numbers.length === 0
    ? []
    : findNamedInvoices(db, platformId, { references, numbers });
}
