/** The queue: money whose purpose a person must state, with the candidates for it. */
import type { Currency } from '#kernel/currency';
import {
  findNamedInvoices,
  listOwedBeside,
  listOwedInvoicesOf,
  type PayableInvoice,
} from '#modules/invoices';
import { openEntryDetails, openTransactionDetails } from './bank-details.ts';
import { type EntryTransaction, listPaidFrom, listQueued } from './bank-transaction.queries.ts';
import type { BankingContext } from './banking-context.ts';
import { numbersIn, QUEUE_REASONS, type QueueReason, referencesIn } from './matching.rules.ts';

const CANDIDATES_MAX = 5;

/** Why an invoice is a candidate. */
type CandidateReason = 'REFERENCE' | 'NUMBER' | 'AMOUNT' | 'ACCOUNT_PAID_BEFORE';

export interface PaymentCandidate {
  invoice_external_id: string;
  buyer_external_id: string;
  status: string;
  outstanding_amount: number;
  currency: Currency;
  reasons: CandidateReason[];
}

export interface QueuedTransaction {
  transaction_id: string;
  bank_account: string;
  booked_on: string;
  /** Minor units: positive for incoming money. */
  amount: number;
  currency: Currency;
  reason: QueueReason;
  meaning: string;
  counterparty_name: string | null;
  counterparty_account: string | null;
  remittance: string;
  bank_reference: string;
  candidates: PaymentCandidate[];
}

/** Lists the oldest first. */
export async function listQueue(
  context: Pick<BankingContext, 'db' | 'platformId' | 'vault'>,
  { countMax }: { countMax: number },
): Promise<QueuedTransaction[]> {
  const queued = await listQueued(context.db, context.platformId, { countMax });
  const shown: QueuedTransaction[] = [];
  for (const transaction of queued) shown.push(await showQueued(context, transaction));
  return shown;
}

async function showQueued(
  context: Pick<BankingContext, 'db' | 'platformId' | 'vault'>,
  transaction: EntryTransaction,
): Promise<QueuedTransaction> {
  const details = openTransactionDetails(context.vault, transaction);
  const reason = transaction.queue_reason as QueueReason;
  return {
    transaction_id: transaction.transaction_id,
    bank_account: transaction.bank_account,
    booked_on: transaction.booked_on,
    amount: transaction.amount,
    currency: transaction.currency,
    reason,
    meaning: QUEUE_REASONS[reason],
    counterparty_name: details.counterparty.name,
    counterparty_account: details.counterparty.account,
    remittance: details.remittance,
    bank_reference: openEntryDetails(context.vault, transaction).bankReference,
    candidates: transaction.amount > 0 ? await candidatesOf(context, transaction) : [],
  };
}

/** Lists the likeliest first: the candidates with the most reasons. */
async function candidatesOf(
  { db, platformId, vault }: Pick<BankingContext, 'db' | 'platformId' | 'vault'>,
  transaction: EntryTransaction,
): Promise<PaymentCandidate[]> {
  const { amount, currency, counterparty_mac: payer } = transaction;
  const details = openTransactionDetails(vault, transaction);
  const [references, numbers] = [referencesIn(details), numbersIn(details)];
  const found = new Map<string, { invoice: PayableInvoice; reasons: CandidateReason[] }>();
  const add = (
    invoices: readonly PayableInvoice[],
    reasonOf: (invoice: PayableInvoice) => CandidateReason,
  ) => {
    for (const invoice of invoices) {
      const known = found.get(invoice.external_id) ?? { invoice, reasons: [] };
      found.set(invoice.external_id, { invoice, reasons: [...known.reasons, reasonOf(invoice)] });
    }
  };
  add(await findNamedInvoices(db, platformId, { references, numbers }), ({ payment_reference }) =>
    references.includes(payment_reference) ? 'REFERENCE' : 'NUMBER',
  );
  const likely = { grossMinor: amount, currency, countMax: CANDIDATES_MAX };
  add(await listOwedInvoicesOf(db, platformId, likely), () => 'AMOUNT');
  if (payer !== null) {
    const paid = await listPaidFrom(db, platformId, payer, CANDIDATES_MAX);
    const owed = await listOwedBeside(db, platformId, { invoices: paid, countMax: CANDIDATES_MAX });
    const buyers = new Set(owed.map(({ buyer_external_id }) => buyer_external_id));
    const others = [...found.values()].map(({ invoice }) => invoice);
    const ofBuyers = others.filter(({ buyer_external_id }) => buyers.has(buyer_external_id));
    add(uniqueInvoices([...owed, ...ofBuyers]), () => 'ACCOUNT_PAID_BEFORE');
  }
  return [...found.values()]
    .sort((a, b) => b.reasons.length - a.reasons.length)
    .slice(0, CANDIDATES_MAX)
    .map(({ invoice, reasons }) => ({
      invoice_external_id: invoice.external_id,
      buyer_external_id: invoice.buyer_external_id,
      status: invoice.status,
      outstanding_amount: invoice.outstanding_amount,
      currency: invoice.currency,
      reasons,
    }));
}

const uniqueInvoices = (invoices: readonly PayableInvoice[]) => [
  ...new Map(invoices.map((invoice) => [invoice.external_id, invoice])).values(),
];
