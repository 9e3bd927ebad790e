/** The orders of the demo story that went on: on credit or prepaid, and what has become of each. */
import type { Static } from 'typebox';
import type { Context } from '#http/operation';
import { inTransaction } from '#infra/transaction';
import { countCreditHistory, freeUse } from '#modules/facilities';
import {
  cancelOrder,
  createOrder,
  disburseOrder,
  expireOrder,
  invoiceOrder,
  type Mover,
  type OrderCreation,
  settleOrder,
} from '#modules/orders';
import { act } from './acting.ts';
import { beans, cheese, cups, draft } from './story-cast.ts';

/** Something that happens in the story, on its day. */
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
    take: (context) => act(createOrder, { ...context, isSandbox: true }, { body: { ...body, ...terms } }),
  };
}

function move(daysAgo: number, command: (mover: Mover) => Promise<unknown>): Step {
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
  return move(daysAgo, (mover) => invoiceOrder(mover, `order-${number}`, part));
}

const ofMorgenrot = (daysAgo: number, number: number, quantity: number) =>
  draft(daysAgo, number, 'cafe-morgenrot', 'roastery-north', 7, [{ ...beans, quantity }]);
const ofBrasserie = (daysAgo: number, number: number, quantity: number) =>
  draft(daysAgo, number, 'brasserie-du-parc', 'fromagerie-alpes', 6, [{ ...cheese, quantity }]);

const closed = ofMorgenrot(38, 1013, 30);
const disbursed = ofBrasserie(30, 1012, 3);
const inPounds = draft(6, 1018, 'harbour-tearooms', 'keramika-krakow', 20, [{ ...cups, quantity: 24 }]);

/** The only invoice of the order is paid: what it used is available again, and the order is settled. */
async function paid(mover: Mover, { external_id, buyer_external_id: buyerExternalId, amount }: Drafted) {
  const { db, platformId, actor, now: at } = mover;
  const invoiceExternalId = external_id.replace('order', 'invoice');
  const key = { platformId, buyerExternalId };
  await freeUse(db, [{ ...key, invoiceExternalId, amountMinor: amount.gross, actor, at }]);
  await settleOrder(mover, external_id);
  await countCreditHistory(db, [{ ...key, invoicesPaid: 1 }]);
}

/** The longest ago first: a ledger and a history tell it in this order. */
export const orderSteps: Step[] = [
  order(closed),
  invoice(37, 1013, closed.amount.gross),
  order(ofBrasserie(32, 1015, 1)),
  order(disbursed),
  invoice(29, 1012, disbursed.amount.gross),
  move(27, (mover) => disburseOrder(mover, 'order-1012')),
  order(ofBrasserie(25, 1014, 2)),
  {
    daysAgo: 24,
    take: (context) =>
      act(cancelOrder, context, {
        params: { external_id: 'order-1014' },
        body: { reason: 'BUYER', comment: 'Commandé deux fois.' },
      }),
  },
  order(ofMorgenrot(20, 1011, 40)),
  // Delivered in two parts; the second has not come yet.
  invoice(18, 1011, 60_000),
  order(ofMorgenrot(12, 1010, 12), { comment: 'Wie immer.' }),
  move(10, (mover) => paid(mover, closed)),
  order({ ...inPounds, amount: { ...inPounds.amount, currency: 'GBP' } }, { payment_term: 'DEFER_14D' }),
  // Without a facility: paid before it is delivered.
  order(draft(3, 1017, 'pierogarnia-pod-aniolem', 'keramika-krakow', 23, [{ ...cups, quantity: 12 }]), {
    payment_term: 'PREPAYMENT',
    payment_method: 'CARD',
  }),
  move(2, (mover) => expireOrder(mover, 'order-1015')),
  // By the sandbox's script in the address: a person must look at it.
  order(draft(1, 1016, 'trattoria-del-ponte', 'roastery-north', 10, [{ ...beans, quantity: 8 }]), {
    contact_email: 'in-review@trattoria.example',
  }),
  // And one that will be accepted half a day from now: set the sandbox's clock forward, and it is.
  order(draft(0.5, 1019, 'trattoria-del-ponte', 'roastery-north', 10, [{ ...beans, quantity: 4 }]), {
    contact_email: 'review-then-accept@trattoria.example',
  }),
];
