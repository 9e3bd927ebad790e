/** Commands on invoices, payments and credit notes. */
import fc from 'fast-check';
import { applyPayment } from '#modules/invoices';
import { always, Command, hasInvoices, hasOrders, hasPayments, pick } from './command.ts';
import * as invoices from './invoice.ts';
import { createInvoice, openOf } from './new-invoice.ts';
import { has } from './order.ts';
import { dueAtOf, grossOf, outstandingOf, sumOf } from './owed.ts';
import type { Reality, Reply } from './reality.ts';
import {
  type Answer,
  BUYER,
  type CreditNote,
  DAY_SECONDS,
  type Invoice,
  type Model,
  type Order,
  type Payment,
} from './state.ts';

const nth = fc.nat(63);
/** One creation in this many names what exists. */
const TAKEN = 15;

const wholeOf = (net: number, tax: number): CreditNote => ({ net, tax, gross: net + tax });
/** The tax in an amount that includes 19 %. */
const taxIn = (gross: number) => Math.floor((gross * 19) / 119);

/** The id of the first existing item, or a new one. New ids do not sort in the order of creation. */
const idOf = (kind: string, taken: readonly { id: string }[], isTaken: boolean) =>
  isTaken && taken[0] ? taken[0].id : `${kind}-${((taken.length + 1) * 7_919) % 10_007}`;

/** The full remainder, a part of it, or more. */
const PARTS = { whole: 1, half: 0.5, more: 2 } as const;
export type Part = keyof typeof PARTS;
const partOf = (amount: number, part: Part) => Math.max(1, Math.floor(amount * PARTS[part]));

/** Among the payments of a new invoice, the payment in advance for the order. */
function paymentOf(payments: { external_id: string; order_external_id: string }[], order: Order): string {
  const payment = payments.find((each) => each.order_external_id === order.id);
  if (!payment) throw new Error(`What was paid for ${order.id} is no payment of the invoice.`);
  return payment.external_id;
}

const create = (
  text: string,
  isPossible: (model: Readonly<Model>) => boolean,
  isTaken: boolean,
  ordersOf: (model: Readonly<Model>) => Order[],
  grossOfAll: (orders: Order[]) => number,
  dueInDays: number | null,
) =>
  new Command(`${text} due ${dueInDays}${isTaken ? ' again' : ''}`, isPossible, (model, reality) => {
    const id = idOf('invoice', model.invoices, isTaken);
    const orders = ordersOf(model);
    const gross = grossOfAll(orders);
    const tax = taxIn(gross);
    const dueAt = dueInDays === null ? null : model.now + dueInDays * DAY_SECONDS;
    const body = {
      external_id: id,
      amount: wholeOf(gross - tax, tax),
      ...(dueAt !== null && { due_at: dueAt }),
      ...(orders.length > 0
        ? { order_external_ids: orders.map((order) => order.id) }
        : { buyer_external_id: BUYER, merchant_external_id: 'merchant', payment_method: 'TRANSFER' }),
    };
    return {
      async send() {
        const reply = await reality.post('/v1/invoices', body);
        const isPaid = reply.status === 201 && orders.some(({ paidAt }) => paidAt !== null);
        const { body: payments } = isPaid ? await reality.get(`/v1/invoices/${id}/payments`) : { body: null };
        return { ...reply, body: { ...reply.body, payments } };
      },
      foretell: ({ body: { payments } }) => {
        const paymentIdOf = (order: Order) => paymentOf(payments.items, order);
        return createInvoice(model, orders, { id, net: gross - tax, tax, dueAt, paymentIdOf });
      },
    };
  });

/** An invoice of several orders, starting with the nth. */
export const invoice = (
  which: number,
  part: Part,
  count = 1,
  dueInDays: number | null = null,
  isTaken = false,
) =>
  create(
    `invoice ${part} of ${count} from #${which}`,
    hasOrders,
    isTaken,
    (model) => {
      const isApt = (order: Order) => has(order, 'invoice') && openOf(order) > 0;
      const chosen = Array.from({ length: count }, (_, index) => pick(model.orders, which + index, isApt));
      return [...new Set(chosen.filter((order) => order !== undefined))];
    },
    (orders) => partOf(sumOf(orders, openOf), part),
    dueInDays,
  );

export const invoiceWithoutOrder = (gross: number, dueInDays: number) =>
  create(
    `invoiceWithoutOrder ${gross}`,
    always,
    false,
    () => [],
    () => gross,
    dueInDays,
  );

const isOwed = ({ status }: Invoice) => status === 'OPEN' || status === 'DUE';
const isLive = ({ status }: Invoice) => status !== 'CANCELLED';

const invoiceCommand = (
  text: string,
  which: number,
  isApt: (invoice: Invoice) => boolean,
  plan: (
    model: Model,
    about: Invoice,
    path: string,
    reality: Reality,
  ) => { send: () => Promise<Reply>; foretell: () => Answer },
) =>
  new Command(`${text} #${which}`, hasInvoices, (model, reality) => {
    const about = pick(model.invoices, which, isApt);
    return plan(model, about, `/v1/invoices/${about.id}`, reality);
  });

/** The receiver of the money, and how many days ago it arrived. */
export interface Receipt {
  isAtPlatform: boolean;
  daysAgo: number;
}
export const NOW_AT_PLATFORM: Receipt = { isAtPlatform: true, daysAgo: 0 };

const receiptOf = ({ now, payments }: Model, { isAtPlatform, daysAgo }: Receipt, isTaken: boolean) => {
  const receipt = {
    id: idOf('payment', payments, isTaken),
    isAtPlatform,
    paidAt: now - daysAgo * DAY_SECONDS,
  };
  const body = {
    external_id: receipt.id,
    paid_at: receipt.paidAt,
    received_by: isAtPlatform ? 'PLATFORM' : 'MERCHANT',
  };
  return { receipt, body };
};

export const pay = (which: number, part: Part, receipt = NOW_AT_PLATFORM, isTaken = false) =>
  invoiceCommand(
    `pay ${part} ${JSON.stringify(receipt)}${isTaken ? ' again' : ''}`,
    which,
    isOwed,
    (model, about, path, reality) => {
      const { receipt: received, body } = receiptOf(model, receipt, isTaken);
      const amount = partOf(outstandingOf(about), part);
      return {
        send: () => reality.post(`${path}/payments`, { ...body, amount }),
        foretell: () => invoices.pay(model, about, { ...received, amount }),
      };
    },
  );

export const payRest = (which: number, receipt = NOW_AT_PLATFORM) =>
  invoiceCommand(`payRest ${JSON.stringify(receipt)}`, which, isOwed, (model, about, path, reality) => {
    const { receipt: received, body } = receiptOf(model, receipt, false);
    return {
      send: () => reality.post(`${path}/paid`, body),
      foretell: () => invoices.payRest(model, about, received),
    };
  });

export const refund = (which: number) =>
  invoiceCommand('refund', which, isLive, (model, about, path, reality) => ({
    send: () => reality.post(`${path}/refund`),
    foretell: () => invoices.refund(model, about),
  }));

/** The full remainder, a part of it, more, its tax alone, or more than its tax. */
const CREDITED = {
  whole: ({ net, tax }: CreditNote) => wholeOf(net, tax),
  half: ({ net, tax }: CreditNote) => wholeOf(Math.ceil(net / 2), Math.floor(tax / 2)),
  more: ({ net, tax }: CreditNote) => wholeOf(net + 1, tax),
  tax: ({ tax }: CreditNote) => wholeOf(0, tax),
  moreTax: ({ tax }: CreditNote) => wholeOf(0, tax + 1),
} as const;
export type Credited = keyof typeof CREDITED;

let notes = 0;

export const credit = (which: number, credited: Credited) =>
  invoiceCommand(`credit ${credited}`, which, isLive, (model, about, _, reality) => {
    const note = CREDITED[credited](invoices.creditableOf(about));
    const amount = note.gross === 0 ? wholeOf(1, 0) : note;
    const names = { external_id: `credit-note-${++notes}`, invoice_external_id: about.id };
    return {
      send: () => reality.post('/v1/credit_notes', { ...names, reason_code: 'RETURN', amount }),
      foretell: () => invoices.credit(model, about, amount),
    };
  });

/** Sets another due day, in days from now; null repeats the current one. */
export const postpone = (which: number, days: number | null) =>
  invoiceCommand(`postpone ${days}`, which, isOwed, (model, about, path, reality) => {
    const dueAt = days === null ? dueAtOf(about) : model.now + days * DAY_SECONDS;
    const { net, tax, invoicedAt } = about;
    return {
      send: () =>
        reality.put(path, {
          ...{ buyer_external_id: BUYER, amount: { net, tax, gross: grossOf(about) } },
          ...{ invoiced_at: invoicedAt, due_at: dueAt, payment_method: 'TRANSFER' },
        }),
      foretell: () => invoices.postpone(model, about, dueAt),
    };
  });

/** A payment bounces, also if the limit no longer has room for it. */
export const reverse = (which: number) =>
  new Command(`reverse #${which}`, hasPayments, (model, reality) => {
    const payment = pick(model.payments, which, ({ isReversed }) => !isReversed);
    const { invoice: about, id } = payment;
    return {
      send: () => reality.post(`/v1/invoices/${about.id}/payments/${id}/reverse`, { reason: 'It bounced.' }),
      foretell: () => invoices.reverse(model, payment),
    };
  });

/** An operator applies money that settles no invoice. */
export const apply = (which: number, part: Part | null) =>
  new Command(`apply ${part} #${which}`, hasPayments, (model, reality) => {
    const payment: Payment = pick(model.payments, which, (each) => invoices.unappliedOf(model, each) > 0);
    const about = pick(model.invoices, which, isOwed);
    const amountMinor = part && partOf(invoices.unappliedOf(model, payment), part);
    const request = { paymentExternalId: payment.id, invoiceExternalId: about.id, amountMinor };
    const { now } = model;
    return {
      send: async () => {
        const { body } = await reality.transition(now, (context) => applyPayment(context, request));
        return body.fault === null ? { status: 200, body } : { status: 422, body: { reason: body.fault } };
      },
      foretell: () => invoices.apply(model, payment, about, amountMinor),
    };
  });

const part = fc.constantFrom<Part>('whole', 'half', 'half', 'more');
const receipt = fc.record({ isAtPlatform: fc.boolean(), daysAgo: fc.constantFrom(0, 0, 0, 3, 40) });
const invoicing = fc
  .tuple(nth, part, fc.constantFrom(1, 1, 1, 2, 3), fc.constantFrom(null, null, null, 0, 45), fc.nat(TAKEN))
  .map(([which, of, count, days, taken]) => invoice(which, of, count, days, taken === TAKEN));
const paying = fc
  .tuple(nth, part, receipt, fc.nat(TAKEN))
  .map(([which, of, received, taken]) => pay(which, of, received, taken === TAKEN));
const crediting = fc
  .tuple(nth, fc.constantFrom<Credited>('half', 'half', 'half', 'whole', 'more', 'tax', 'moreTax'))
  .map(([which, credited]) => credit(which, credited));

export const invoiceCommands = [
  ...[invoicing, invoicing, invoicing, invoicing, invoicing],
  fc
    .tuple(fc.constantFrom(1, 119, 5_000, 30_000), fc.constantFrom(0, 1, 30))
    .map(([gross, days]) => invoiceWithoutOrder(gross, days)),
];

/** Commands on payments and credit notes. */
export const moneyCommands = [
  ...[paying, paying, paying, paying],
  fc.tuple(nth, receipt).map(([which, received]) => payRest(which, received)),
  ...[crediting, crediting],
  ...[nth.map(reverse), nth.map(reverse), nth.map(refund)],
  fc.tuple(nth, fc.constantFrom(null, 0, 10, 60, -10)).map(([which, days]) => postpone(which, days)),
  fc.tuple(nth, fc.option(part)).map(([which, of]) => apply(which, of)),
];
