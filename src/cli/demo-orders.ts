/** The demo's orders, on credit or prepaid, and the course of each. */

import type { Static } from 'typebox';
import {
  createCreditNote,
  createInvoice,
  createInvoicePayment,
  getInvoice,
  type PaymentCreation,
  refundInvoice,
} from '#modules/invoices';
import { cancelOrder, createOrder, expireOrder, type OrderCreation } from '#modules/orders';
import { decideReview, listReviews } from '#modules/reviews';
import type { ChangeContext, Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { beans, cheese, cups, draft } from './demo-cast.ts';
import { inTransactionOf } from './operation-context.ts';

/** A step of the demo and its day. */
export interface DemoStep {
  daysAgo: number;
  take(context: Context): Promise<unknown>;
}

type Drafted = ReturnType<typeof draft>;
type Terms = Partial<Static<typeof OrderCreation>>;

function order({ daysAgo, ...body }: Drafted, more: Terms = {}): DemoStep {
  const terms = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...more };
  return {
    daysAgo,
    take: (context) =>
      runOperation(createOrder, {
        context: { ...context, isSandbox: true },
        input: { body: { ...body, ...terms } },
      }),
  };
}

function transition(daysAgo: number, command: (context: ChangeContext) => Promise<unknown>): DemoStep {
  return {
    daysAgo,
    take: (context) => inTransactionOf(context, command),
  };
}

/** An invoice for all or a part of the order; it has the number of the order. */
function invoice(daysAgo: number, { external_id, amount }: Drafted, part = amount): DemoStep {
  const body = {
    external_id: invoiceOf(external_id),
    invoice_number: external_id.replace('order', 'RE'),
    ...{ order_external_ids: [external_id], amount: part },
  };
  return { daysAgo, take: (context) => runOperation(createInvoice, { context, input: { body } }) };
}

const invoiceOf = (orderExternalId: string) => orderExternalId.replace('order', 'invoice');

/** The buyer pays the owed amount, and `beyondMinor` more, to the account of the platform. */
function paid(daysAgo: number, { external_id }: Drafted, beyondMinor: number): DemoStep {
  const params = { external_id: invoiceOf(external_id) };
  return {
    daysAgo,
    async take(context) {
      const owed = await runOperation(getInvoice, { context, input: { params, query: {} } });
      const amount = owed.outstanding_amount + beyondMinor;
      await pay(daysAgo, external_id, { amount, received_by: 'PLATFORM' }).take(context);
    },
  };
}

function pay(daysAgo: number, orderExternalId: string, body: Static<typeof PaymentCreation>): DemoStep {
  const params = { external_id: invoiceOf(orderExternalId) };
  const reference = orderExternalId.replace('order', 'payment');
  const input = { params, body: { external_id: reference, reference, ...body } };
  return { daysAgo, take: (context) => runOperation(createInvoicePayment, { context, input }) };
}

/** A person accepts the order under review. */
function accepted(daysAgo: number, orderExternalId: string, reason: string): DemoStep {
  return {
    daysAgo,
    async take(context) {
      const asOperator = { ...context, actor: 'operator:demo' };
      const query = { order_external_id: [orderExternalId] };
      const { items } = await runOperation(listReviews, { context: asOperator, input: { query } });
      const params = { review_id: items[0]?.review_id };
      await runOperation(decideReview, {
        context: asOperator,
        input: { params, body: { outcome: 'ACCEPT', reason } },
      });
    },
  };
}

const ofMorgenrot = (daysAgo: number, number: number, quantity: number) =>
  draft(daysAgo, number, 'cafe-morgenrot', 'roastery-north', 7, [{ ...beans, quantity }]);
const ofBrasserie = (daysAgo: number, number: number, quantity: number) =>
  draft(daysAgo, number, 'brasserie-du-parc', 'fromagerie-alpes', 6, [{ ...cheese, quantity }]);

const closed = ofMorgenrot(38, 1013, 30);
const damaged = ofBrasserie(29, 1012, 3);
const halfDelivered = ofMorgenrot(20, 1011, 40);
const usual = ofMorgenrot(12, 1010, 12);
const ofHarbour = (daysAgo: number, number: number, quantity: number): Drafted => {
  const inEuro = draft(daysAgo, number, 'harbour-tearooms', 'keramika-krakow', 20, [{ ...cups, quantity }]);
  return { ...inEuro, amount: { ...inEuro.amount, currency: 'GBP' } };
};
const pastDue = ofHarbour(4.5, 1021, 12);

/** In chronological order, because ledger and history record them in this order. */
export const orderSteps: DemoStep[] = [
  order(closed),
  invoice(37, closed),
  order(ofBrasserie(32, 1015, 1)),
  order(damaged),
  invoice(28, damaged),
  order(ofBrasserie(25, 1014, 2)),
  {
    daysAgo: 24,
    take: (context) =>
      runOperation(cancelOrder, {
        context,
        input: {
          params: { external_id: 'order-1014' },
          body: { reason: 'BUYER', comment: 'Commandé deux fois.' },
        },
      }),
  },
  // One of three wheels was damaged.
  {
    daysAgo: 22,
    take: (context) =>
      runOperation(createCreditNote, {
        context,
        input: {
          body: {
            external_id: 'credit-note-1012',
            invoice_external_id: 'invoice-1012',
            reason_code: 'DAMAGED',
            amount: { net: 18_900, tax: 1_134, gross: 20_034 },
            line_items: [{ ...cheese, quantity: 1 }],
          },
        },
      }),
  },
  order(halfDelivered),
  // Delivered in two parts; the second is outstanding. The merchant got a part of the first.
  invoice(18, halfDelivered, { net: 56_075, tax: 3_925, gross: 60_000 }),
  order(usual, { comment: 'Wie immer.' }),
  // Invoiced before it was delivered, by mistake.
  invoice(11, usual),
  {
    daysAgo: 10.5,
    take: (context) =>
      runOperation(refundInvoice, {
        context,
        input: { params: { external_id: 'invoice-1010' }, body: undefined },
      }),
  },
  // Two days early, and 10.00 too much, which still belongs to the buyer.
  paid(10, closed, 1_000),
  pay(8, 'order-1011', { amount: 25_000, received_by: 'MERCHANT' }),
  // A person reviews it, and accepts it a day later.
  order(ofHarbour(6, 1018, 24), { payment_term: 'DEFER_14D', contact_email: 'in-review@harbour.example' }),
  accepted(5, 'order-1018', 'Spoke to the owner: the delivery is for a new terrace.'),
  // Due the day before yesterday or yesterday, by the hour, and not paid.
  order(pastDue, { payment_term: 'DEFER_3D' }),
  invoice(4.4, pastDue),
  // Without a facility: paid before delivery.
  order(draft(3, 1017, 'pierogarnia-pod-aniolem', 'keramika-krakow', 23, [{ ...cups, quantity: 12 }]), {
    payment_term: 'PREPAYMENT',
    payment_method: 'CARD',
  }),
  transition(2, (context) => expireOrder(context, 'order-1015')),
  // The address selects a sandbox script: the order goes to a review.
  order(draft(1, 1016, 'trattoria-del-ponte', 'roastery-north', 10, [{ ...beans, quantity: 8 }]), {
    contact_email: 'in-review@trattoria.example',
  }),
  // Accepted half a day from now: advance the sandbox clock to see it.
  order(draft(0.5, 1019, 'trattoria-del-ponte', 'roastery-north', 10, [{ ...beans, quantity: 4 }]), {
    contact_email: 'review-then-accept@trattoria.example',
  }),
];
