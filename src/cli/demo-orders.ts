/** The demo's orders on credit or prepaid, and what happens to each. */

import type { Static } from 'typebox';
import { inTransaction } from '#infra/database/transaction';
import { DAY_SECONDS, dayOf } from '#kernel/day';
import { recordPaidInvoices, releaseUse } from '#modules/facilities';
import {
  cancelOrder,
  createOrder,
  disburseOrder,
  expireOrder,
  invoiceOrder,
  type OrderCreation,
  settleOrder,
} from '#modules/orders';
import { decideReview, listReviews } from '#modules/reviews';
import type { ChangeContext, Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { beans, cheese, cups, draft } from './demo-cast.ts';

/** A step of the demo and its day. */
interface Step {
  daysAgo: number;
  take(context: Context): Promise<unknown>;
}

type Drafted = ReturnType<typeof draft>;
type Terms = Partial<Static<typeof OrderCreation>>;

function order({ daysAgo, ...body }: Drafted, more: Terms = {}): Step {
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

function transition(daysAgo: number, command: (context: ChangeContext) => Promise<unknown>): Step {
  return {
    daysAgo,
    take: (context) =>
      context.db.isTransaction
        ? command(context)
        : inTransaction(context.db, (transaction) => command({ ...context, db: transaction })),
  };
}

function invoice(daysAgo: number, number: number, amountMinor: number): Step {
  const part = { invoiceExternalId: `invoice-${number}`, amountMinor };
  return transition(daysAgo, (context) => invoiceOrder(context, `order-${number}`, part));
}

/** A person accepts the order under review. */
function accepted(daysAgo: number, orderExternalId: string, reason: string): Step {
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
const disbursed = ofBrasserie(30, 1012, 3);
const inPounds = draft(6, 1018, 'harbour-tearooms', 'keramika-krakow', 20, [{ ...cups, quantity: 24 }]);

/** Settles an order whose only invoice is paid, and releases its credit. */
async function paid(
  context: ChangeContext,
  { external_id, buyer_external_id: buyerExternalId, amount }: Drafted,
) {
  const { db, platformId, actor, now: at } = context;
  const invoiceExternalId = external_id.replace('order', 'invoice');
  const paymentId = external_id.replace('order', 'payment');
  const released = { platformId, buyerExternalId, invoiceExternalId, amountMinor: amount.gross };
  await releaseUse(db, [{ ...released, cause: 'INVOICE_PAID', paymentId, actor, at }]);
  await settleOrder(context, external_id);
  await recordPaidInvoices(db, platformId, [
    {
      buyerExternalId,
      invoiceExternalId,
      paymentId,
      // Ordered 38 days ago on 30 days, and paid 28 days later: two days early.
      dueOn: dayOf(at + 2 * DAY_SECONDS),
      paidOn: dayOf(at),
      currency: 'EUR',
      amountMinor: amount.gross,
      at,
    },
  ]);
}

/** In chronological order, because ledger and history record them in this order. */
export const orderSteps: Step[] = [
  order(closed),
  invoice(37, 1013, closed.amount.gross),
  order(ofBrasserie(32, 1015, 1)),
  order(disbursed),
  invoice(29, 1012, disbursed.amount.gross),
  transition(27, (context) => disburseOrder(context, 'order-1012')),
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
  order(ofMorgenrot(20, 1011, 40)),
  // Delivered in two parts; the second is outstanding.
  invoice(18, 1011, 60_000),
  order(ofMorgenrot(12, 1010, 12), { comment: 'Wie immer.' }),
  transition(10, (context) => paid(context, closed)),
  // A person reviews it, and accepts it a day later.
  order(
    { ...inPounds, amount: { ...inPounds.amount, currency: 'GBP' } },
    { payment_term: 'DEFER_14D', contact_email: 'in-review@harbour.example' },
  ),
  accepted(5, 'order-1018', 'Spoke to the owner: the delivery is for a new terrace.'),
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
