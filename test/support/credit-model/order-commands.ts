/** Commands on orders. */
import fc from 'fast-check';
import { completeCheckout, disburseOrder } from '#modules/orders';
import { always, Command, hasOrders, pick } from './command.ts';
import { creditRefusal } from './credit.ts';
import { AMOUNTS } from './facility-commands.ts';
import * as orders from './order.ts';
import type { Reality, Reply } from './reality.ts';
import {
  type Answer,
  BUYER,
  done,
  type Model,
  ORDER_SCRIPTS,
  type Order,
  type OrderScript,
  type Term,
} from './state.ts';

const amount = fc.constantFrom(...AMOUNTS, 20_000, 40_000, 60_000);
const nth = fc.nat(63);
/** One creation in this many names an existing order. */
const TAKEN = 15;
const script = fc.constantFrom(null, null, ...ORDER_SCRIPTS);
const term = fc.constantFrom<Term>(
  ...(['DEFER_30D', 'DEFER_30D', 'DEFER_30D', 'SPLIT_3M', 'SPLIT_3M', 'PREPAYMENT', 'DEFER_120D'] as const),
);

const creation = (id: string, gross: number, requested: OrderScript) => ({
  external_id: id,
  buyer_external_id: BUYER,
  merchant_external_id: 'merchant',
  amount: { net: gross, gross },
  ...(requested !== null && { contact_email: `${requested}@example.com` }),
});

/** The next id, or an existing one. */
const idOf = ({ orders }: Model, isTaken: boolean) =>
  isTaken && orders.length > 0 ? (orders[0] as Order).id : `order-${orders.length + 1}`;

export const createDraft = (gross: number, requested: OrderScript, isTaken = false) =>
  new Command(`createDraft ${gross} ${requested}${isTaken ? ' again' : ''}`, always, (model, reality) => {
    const id = idOf(model, isTaken);
    return {
      send: () => reality.post('/v1/orders/draft', creation(id, gross, requested)),
      foretell: () => orders.createDraft(model, id, gross, requested),
    };
  });

export const createOrder = (gross: number, chosen: Term, requested: OrderScript, isTaken = false) =>
  new Command(
    `createOrder ${gross} ${chosen} ${requested}${isTaken ? ' again' : ''}`,
    always,
    (model, reality) => {
      const id = idOf(model, isTaken);
      const chosenTerm = { payment_method: 'TRANSFER', payment_term: chosen };
      return {
        send: () => reality.post('/v1/orders', { ...creation(id, gross, requested), ...chosenTerm }),
        foretell: () => orders.createOrder(model, id, gross, chosen, requested),
      };
    },
  );

/** The buyer is offered 30 days if and only if an order on that term would be accepted. */
export const getTerms = (gross: number) =>
  new Command(`askTerms ${gross}`, always, (model, reality) => ({
    send: () => reality.get(`/v1/buyers/${BUYER}/payment_terms?gross_amount=${gross}`),
    foretell: ({ body }) => {
      type Offer = { payment_term: string; reason?: string };
      const not = body.unavailable_terms.find((each: Offer) => each.payment_term === 'DEFER_30D');
      const isOffered = body.payment_terms.some((each: Offer) => each.payment_term === 'DEFER_30D');
      const refusal = creditRefusal(model, gross);
      if (not?.reason !== refusal?.reason || isOffered !== (refusal === null))
        throw new Error(`DEFER_30D is said to be ${not?.reason ?? 'offered'}, not ${refusal?.reason}.`);
      return done();
    },
  }));

/** @param trigger Orders whose status has this trigger are preferred. */
const orderCommand = (
  text: string,
  which: number,
  trigger: string,
  send: (reality: Reality, order: Order, now: number) => Promise<Reply>,
  foretell: (model: Model, order: Order) => Answer,
) =>
  new Command(`${text} #${which}`, hasOrders, (model, reality) => {
    const order = pick(model.orders, which, (each) => orders.has(each, trigger));
    const { now } = model;
    return { send: () => send(reality, order, now), foretell: () => foretell(model, order) };
  });

export const cancel = (which: number) =>
  orderCommand(
    'cancel',
    which,
    'cancel',
    (reality, { id }) => reality.post(`/v1/orders/${id}/cancel`, { reason: 'BUYER' }),
    orders.cancel,
  );

export const close = (which: number) =>
  orderCommand(
    'close',
    which,
    'close_short',
    (reality, { id }) => reality.post(`/v1/orders/${id}/close`),
    orders.close,
  );

export const recordPrepayment = (which: number) =>
  orderCommand(
    'recordPrepayment',
    which,
    'pay',
    (reality, { id }) => reality.post(`/v1/orders/${id}/paid`),
    orders.recordPrepayment,
  );

const SIMULATED: Record<string, (model: Model, order: Order) => Answer> = {
  confirm: (model, order) => orders.confirm(model, order, model.now),
  decline: orders.decline,
  cancel: orders.cancel,
  expire: orders.expireOrder,
};

export const simulateOrder = (which: number, trigger: string) =>
  orderCommand(
    `simulateOrder ${trigger}`,
    which,
    trigger,
    (reality, { id }) => reality.post('/v1/sandbox/orders', { external_id: id, trigger }),
    SIMULATED[trigger] as (model: Model, order: Order) => Answer,
  );

export const checkout = (which: number, chosen: Term) =>
  orderCommand(
    `completeCheckout ${chosen}`,
    which,
    'complete_checkout',
    (reality, { id }, now) =>
      reality.transition(now, ({ db }) =>
        completeCheckout({ ...reality.checkoutContext(now), db }, id, {
          paymentMethod: 'TRANSFER',
          paymentTerm: chosen,
          deliveryAddress: null,
          contactEmail: 'kim@bistro.example',
        }),
      ),
    (model, order) => orders.completeCheckout(model, order, chosen),
  );

/** The first payout on one of its invoices. */
export const disburse = (which: number) =>
  orderCommand(
    'disburse',
    which,
    'disburse',
    (reality, { id }, now) => reality.transition(now, (context) => disburseOrder(context, id)),
    (_, order) => orders.disburse(order),
  );

const creating = fc
  .tuple(amount, term, script, fc.nat(TAKEN))
  .map(([gross, chosen, requested, taken]) => createOrder(gross, chosen, requested, taken === TAKEN));
const simulating = fc
  .tuple(nth, fc.constantFrom(...Object.keys(SIMULATED)))
  .map(([which, trigger]) => simulateOrder(which, trigger));
export const orderCommands = [
  fc
    .tuple(amount, script, fc.nat(TAKEN))
    .map(([gross, requested, taken]) => createDraft(gross, requested, taken === TAKEN)),
  ...[creating, creating, creating, creating, creating, creating],
  ...[simulating, simulating, simulating],
  amount.map(getTerms),
  nth.map(cancel),
  nth.map(close),
  nth.map(recordPrepayment),
  fc.tuple(nth, term).map(([which, chosen]) => checkout(which, chosen)),
  fc.tuple(nth, term).map(([which, chosen]) => checkout(which, chosen)),
  nth.map(disburse),
];
