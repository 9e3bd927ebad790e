/** Compares invoices, payments and the books. Each function throws at the first difference, with both values. */
import { deepStrictEqual } from 'node:assert';
import { balancesOf } from './books.ts';
import { compareServices } from './compare-payouts.ts';
import { unappliedOf } from './invoice.ts';
import {
  allocationsOf,
  appliedOf,
  creditedOf,
  creditUsedOf,
  dueAtOf,
  feeOf,
  grossOf,
  instalmentsOf,
  outstandingOf,
  paidOf,
} from './owed.ts';
import type { Reality } from './reality.ts';
import type { Invoice, Model, Payment } from './state.ts';

const PAGE = 100;

/** The next instalment of a cancelled invoice is ignored. */
export const shownInvoice = (invoice: Invoice) => ({
  id: invoice.id,
  status: invoice.status,
  orders: invoice.parts.map(({ order }) => order.id),
  gross: grossOf(invoice),
  term_fee: feeOf(invoice),
  paid: paidOf(invoice),
  credited: creditedOf(invoice),
  outstanding: outstandingOf(invoice),
  credit_used: creditUsedOf(invoice),
  paid_at: invoice.paidAt,
  due_at: invoice.status === 'CANCELLED' ? null : dueAtOf(invoice),
  notes: { count: invoice.notes.length, gross: creditedOf(invoice) },
  installments: instalmentsOf(invoice),
});

// biome-ignore lint/suspicious/noExplicitAny: an invoice as the service shows it.
const seenInvoice = (body: any) => ({
  id: body.external_id,
  status: body.status,
  orders: body.order_external_ids,
  gross: body.amount.gross,
  term_fee: body.term_fee.gross,
  paid: body.paid_amount,
  credited: body.credited_amount,
  outstanding: body.outstanding_amount,
  credit_used: body.credit_used,
  paid_at: body.paid_at,
  due_at: body.status === 'CANCELLED' ? null : body.due_at,
  notes: { count: body.credit_note_summary.count, gross: body.credit_note_summary.amount.gross },
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  installments: body.installments.map((each: any) => ({
    dueAt: each.due_at,
    amount: each.amount,
    fee: each.term_fee,
    paid: each.paid_amount,
    credited: each.credited_amount,
    outstanding: each.outstanding_amount,
  })),
});

export async function compareInvoice(invoice: Invoice, reality: Reality): Promise<void> {
  const { body } = await reality.get(`/v1/invoices/${invoice.id}`);
  deepStrictEqual(seenInvoice(body), shownInvoice(invoice));
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

export async function compareInvoices({ invoices }: Model, reality: Reality): Promise<void> {
  const { body } = await reality.get(`/v1/invoices?limit=${PAGE}`);
  deepStrictEqual(body.items.map(seenInvoice).sort(byId), invoices.map(shownInvoice).sort(byId));
}

const shownPayment = (model: Model, payment: Payment) => ({
  id: payment.id,
  order: payment.order?.id ?? null,
  amount: payment.amount,
  is_reversed: payment.isReversed,
  allocated: appliedOf(model.invoices, payment),
  unapplied: unappliedOf(model, payment),
  allocations: model.invoices
    .filter(({ money }) => money.some((each) => each.payment === payment))
    .flatMap((invoice) => allocationsOf(invoice, payment).map((each) => ({ invoice: invoice.id, ...each })))
    .sort((one, other) => (one.invoice === other.invoice ? 0 : one.invoice < other.invoice ? -1 : 1)),
});

// biome-ignore lint/suspicious/noExplicitAny: a payment as the service shows it.
const seenPayment = (item: any) => ({
  id: item.external_id,
  order: item.order_external_id,
  amount: item.amount,
  is_reversed: item.reversed_at !== null,
  allocated: item.allocated_amount,
  unapplied: item.unapplied_amount,
  allocations: item.allocations.map(({ invoice_external_id: invoice, ...each }: Record<string, unknown>) => ({
    invoice,
    ...each,
  })),
});

/** The payments recorded on the invoice. */
export const shownPayments = (model: Model, invoice: Invoice) =>
  model.payments
    .filter((each) => each.invoice === invoice)
    .map((each) => shownPayment(model, each))
    .sort(byId);

export async function comparePayments(model: Model, invoice: Invoice, reality: Reality): Promise<void> {
  const shown = shownPayments(model, invoice);
  if (shown.length === 0) return;
  const { body } = await reality.get(`/v1/invoices/${invoice.id}/payments?limit=${PAGE}`);
  deepStrictEqual(body.items.map(seenPayment).sort(byId), shown);
}

/** Compares all payments and the balance of every account. */
export async function compareBooks(model: Model, reality: Reality): Promise<void> {
  for (const invoice of model.invoices) {
    await comparePayments(model, invoice, reality);
    await compareServices(model, invoice, reality);
  }
  const { body } = await reality.get('/v1/ledger/trial_balance');
  type Item = { account: string; party: string | null; debit: number; credit: number };
  const seen = (body.items as Item[])
    .map(
      ({ account, party, debit, credit }) =>
        [[account, party ?? ''].join(' ').trim(), debit - credit] as const,
    )
    .filter(([, balance]) => balance !== 0);
  deepStrictEqual(Object.fromEntries(seen), balancesOf(model));
}
