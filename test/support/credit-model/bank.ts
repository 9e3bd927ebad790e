/** The model of the bank's reports: incoming and outgoing money, its purpose, and reversals. */
import { pay, reverse } from './invoice.ts';
import type { BankEntry, Batch, Payout } from './merchant-state.ts';
import { outstandingOf, sumOf } from './owed.ts';
import { confirmPayout, returnPayout } from './payout.ts';
import {
  type Answer,
  DAY_SECONDS,
  dayOf,
  done,
  type Invoice,
  isRefused,
  type Model,
  refused,
} from './state.ts';

/** An invoice that is short by no more than this still counts as paid. Minor units. */
const RESIDUE = 100;

/** The id by which the bank refers to a payout. */
export const endToEndIdOf = ({ id }: Payout) => id.replaceAll('-', '').toUpperCase();

export interface ReportedEntry {
  id: string;
  amount: number;
  takesBack: boolean;
  endToEndId: string;
  /** The invoice whose reference it has. */
  invoice: Invoice | null;
  /** The id that the service has given to its payment. */
  paymentId: string;
}

const NOTHING_KNOWN = { status: 'QUEUED', payment: null, payout: null, isCharge: false } as const;

/** Records an entry. Returns what it waits for in the queue; null if its purpose is known. */
export function recordEntry(
  model: Model,
  { invoice, paymentId, ...reported }: ReportedEntry,
  bookedAt = dayOf(model.now) * DAY_SECONDS,
): string | null {
  const entry: BankEntry = { ...reported, ...NOTHING_KNOWN, bookedAt, batch: null };
  const reason = entry.takesBack
    ? takeBack(model, entry)
    : entry.amount < 0
      ? payOut(model, entry, payoutOf(model, entry))
      : payIn(model, entry, invoice, paymentId);
  if (reason === null) entry.status = 'MATCHED';
  model.bankEntries.push(entry);
  return reason;
}

/** Records the sum of a batch, whose purpose is unknown. */
export function recordBatch(
  model: Model,
  reported: Pick<BankEntry, 'id' | 'endToEndId'>,
  batch: Batch,
): void {
  const amount = sumOf(batch.amounts, (each) => each);
  const bookedAt = dayOf(model.now) * DAY_SECONDS;
  model.bankEntries.push({ ...reported, ...NOTHING_KNOWN, amount, takesBack: false, bookedAt, batch });
}

/** Replaces the sum of a queued batch with its payments. Returns what each waits for. */
export function detailBatch(
  model: Model,
  whole: BankEntry,
  payments: readonly ReportedEntry[],
): (string | null)[] {
  whole.status = 'DETAILED';
  return payments.map((each) => recordEntry(model, each, whole.bookedAt));
}

function payIn(model: Model, entry: BankEntry, invoice: Invoice | null, paymentId: string): string | null {
  if (!invoice) return 'NOTHING_NAMED';
  const missing = outstandingOf(invoice) - entry.amount;
  const difference = missing > 0 && missing <= RESIDUE ? missing : 0;
  const request = {
    id: paymentId,
    amount: entry.amount + difference,
    isAtPlatform: true,
    paidAt: entry.bookedAt,
  };
  if (isRefused(pay(model, invoice, request))) return 'CANCELLED_INVOICE';
  entry.payment = model.payments.find(({ id }) => id === paymentId) ?? null;
  if (entry.payment) entry.payment.difference = difference;
  return null;
}

const payoutOf = ({ merchant }: Model, { amount, endToEndId }: BankEntry) =>
  merchant.payouts.find((each) => endToEndIdOf(each) === endToEndId && each.amount === Math.abs(amount)) ??
  null;

/** If an operator has already confirmed the payout, the entry is its evidence, once. */
function payOut(model: Model, entry: BankEntry, payout: Payout | null): string | null {
  const evidence = model.bankEntries.filter((each) => each.status === 'MATCHED' && each.payout === payout);
  const isProved = payout?.status === 'PAID' && sumOf(evidence, ({ amount }) => amount) === 0;
  if (!payout || (payout.status !== 'INSTRUCTED' && !isProved)) return 'OUTGOING';
  if (payout.status === 'INSTRUCTED') {
    confirmPayout(model, payout);
    payout.paidAt = entry.bookedAt;
  }
  entry.payout = payout;
  return null;
}

/** Reverses an entry, or a payout that an operator has confirmed. */
function takeBack(model: Model, entry: BankEntry): string | null {
  const [original, another] = model.bankEntries.filter(
    (each) =>
      each.endToEndId === entry.endToEndId &&
      each.amount === -entry.amount &&
      !each.takesBack &&
      (each.status === 'QUEUED' || each.status === 'MATCHED'),
  );
  if (original && !another) {
    undo(model, original);
    original.status = 'REVERSED';
    return null;
  }
  const payout = entry.amount > 0 ? payoutOf(model, entry) : null;
  if (payout?.status !== 'PAID') return 'ORIGINAL_UNKNOWN';
  returnPayout(payout);
  entry.payout = payout;
  return null;
}

/** Skips what was already undone by hand. */
function undo(model: Model, { payment, payout }: BankEntry): void {
  if (payment && !payment.isReversed) reverse(model, payment);
  if (payout?.status === 'PAID') returnPayout(payout);
}

const startRefused = () => refused(422, 'START_REFUSED');

/** The purpose that an operator assigns to queued money. */
export type Said = { charge: true } | { payout: Payout } | { invoice: Invoice; paymentId: string };

export function matchEntry(model: Model, entry: BankEntry, said: Said): Answer {
  if (entry.status !== 'QUEUED') return startRefused();
  if ('charge' in said) entry.isCharge = true;
  else if ('payout' in said) {
    if (said.payout.amount !== -entry.amount || payOut(model, entry, said.payout) !== null)
      return startRefused();
  } else if (entry.amount < 0 || payIn(model, entry, said.invoice, said.paymentId) !== null)
    return startRefused();
  entry.status = 'MATCHED';
  return done();
}

/** Undoes a wrong match. Entries that paid a payout or reversed another entry stay matched. */
export function unmatchEntry(model: Model, entry: BankEntry): Answer {
  const { status, payment, payout, isCharge } = entry;
  if (status !== 'MATCHED' || payout || (!payment && !isCharge)) return startRefused();
  undo(model, entry);
  Object.assign(entry, { status: 'QUEUED', payment: null, isCharge: false });
  return done();
}
