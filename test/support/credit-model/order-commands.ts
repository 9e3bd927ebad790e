/** Commands on orders, and what invoices do to them. */
import fc from 'fast-check';
import { releaseUse, reopenUse } from '#modules/facilities';
import { completeCheckout, disburseOrder, invoiceOrder, settleOrder } from '#modules/orders';
import { uninvoiceOrder } from '../../../src/modules/orders/invoice-order.ts';
import { always, Command, hasOrders, pick } from './command.ts';
import { creditRefusal } from './credit.ts';
import { AMOUNTS } from './facility-commands.ts';
import * as orders from './order.ts';
import type { Reality, Reply } from './reality.ts';
import {
  type Answer,
  BUYER,
  done,
  invoicedOf,
  type Model,
  ORDER_SCRIPTS,
  type Order,
  type OrderScript,
} from './state.ts';

const amount = fc.constantFrom(...AMOUNTS, 20_000, 40_000, 60_000);
const nth = fc.nat(63);
/** One creation in this many names an existing order. */
const TAKEN = 15;
const script = fc.constantFrom(null, null, ...ORDER_SCRIPTS);
const term = fc.constantFrom<orders.Term>('DEFER_30D', 'DEFER_30D', 'DEFER_30D', 'PREPAYMENT', 'DEFER_120D');

const creation = (id: string, gross: number, requested: OrderScript) => ({
  external_id: id,
  buyer_external_id: BUYER,
  merchant_external_id: 'merchant',
  amount: { net: gross, gross },
  ...(requested !== null && { contact_email: `${requested}@example.com` }),
});

/** The next id, or one that is taken. */
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

export const createOrder = (gross: number, chosen: orders.Term, requested: OrderScript, isTaken = false) =>
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

/** The buyer is offered 30 days exactly if an order on that term would be accepted. */
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

/** @param trigger What orders are picked for, by their status. */
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
    return { order, send: () => send(reality, order, now), foretell: () => foretell(model, order) };
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
    (_, order) => orders.recordPrepayment(order),
  );

const SIMULATED: Record<string, (model: Model, order: Order) => Answer> = {
  confirm: (model, order) => orders.confirm(model, order, model.now),
  decline: orders.decline,
  cancel: orders.cancel,
  expire: orders.expireOrder,
  disburse: (_, order) => orders.disburse(order),
  settle: orders.settle,
};

export const simulateOrder = (which: number, trigger: string) =>
  orderCommand(
    `simulateOrder ${trigger}`,
    which,
    trigger,
    (reality, { id }) => reality.post('/v1/sandbox/orders', { external_id: id, trigger }),
    SIMULATED[trigger] as (model: Model, order: Order) => Answer,
  );

export const checkout = (which: number, chosen: orders.Term) =>
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

/** The whole rest of the order, a part of it, or more. */
const PARTS = { whole: 1, half: 0.5, more: 2 } as const;
const partOf = (order: Order, part: keyof typeof PARTS) =>
  Math.max(1, Math.floor((order.gross - invoicedOf(order)) * PARTS[part]));

const newInvoiceOf = ({ id, invoices }: Order) => `invoice-${id}-${invoices.length + 1}`;

export const invoice = (which: number, part: keyof typeof PARTS) =>
  orderCommand(
    `invoice ${part}`,
    which,
    'invoice',
    (reality, order, now) => {
      const taken = { invoiceExternalId: newInvoiceOf(order), amountMinor: partOf(order, part) };
      return reality.transition(now, (context) => invoiceOrder(context, order.id, taken));
    },
    (model, order) => orders.invoice(model, order, newInvoiceOf(order), partOf(order, part)),
  );

const hasInvoices = ({ invoices }: Order) => invoices.length > 0;
const isRunning = ({ status }: Order) => status !== 'CLOSED';

const invoiceCommand = (
  text: string,
  which: number,
  isWanted: (order: Order) => boolean,
  send: (reality: Reality, order: Order, nth: number, now: number) => Promise<Reply>,
  foretell: (model: Model, order: Order, nth: number) => Answer,
) =>
  new Command(
    `${text} #${which}`,
    ({ orders }) => orders.some(hasInvoices),
    (model, reality) => {
      const order = pick(model.orders.filter(hasInvoices), which, isWanted);
      const nth = which % order.invoices.length;
      const { now } = model;
      return {
        order,
        send: () => send(reality, order, nth, now),
        foretell: () => foretell(model, order, nth),
      };
    },
  );

export const uninvoice = (which: number) =>
  invoiceCommand(
    'uninvoice',
    which,
    isRunning,
    (reality, order, nth, now) => {
      const { id, amount, used } = order.invoices[nth] as Order['invoices'][number];
      const part = { invoiceExternalId: id, amountMinor: amount, usedMinor: used };
      return reality.transition(now, (context) => uninvoiceOrder(context, order.id, part));
    },
    orders.uninvoice,
  );

/** What is paid of what the invoice still uses: half of it, or all. */
const paidOf = (order: Order, nth: number, isWhole: boolean) =>
  Math.ceil((order.invoices[nth]?.used ?? 0) / (isWhole ? 1 : 2));

export const pay = (which: number, isWhole: boolean) =>
  invoiceCommand(
    `pay ${isWhole ? 'whole' : 'half'}`,
    which,
    isRunning,
    (reality, order, nth, now) =>
      reality.transition(now, async ({ db, platformId, actor }) => {
        const amountMinor = paidOf(order, nth, isWhole);
        const payment = {
          ...paymentOf(order, nth),
          cause: 'INVOICE_PAID' as const,
          platformId,
          actor,
          at: now,
        };
        if (amountMinor > 0) await releaseUse(db, [{ ...payment, amountMinor }]);
      }),
    (model, order, nth) => orders.pay(model, order, nth, paidOf(order, nth, isWhole)),
  );

const paymentOf = (order: Order, nth: number) => {
  const invoiceExternalId = order.invoices[nth]?.id as string;
  return {
    ...{ buyerExternalId: BUYER, orderExternalId: order.id, invoiceExternalId },
    paymentId: `payment-of-${invoiceExternalId}`,
  };
};

/** The last payment of an invoice bounces, also if the limit no longer has room for it. */
export const reversePayment = (which: number) =>
  invoiceCommand(
    'reversePayment',
    which,
    ({ invoices }) => invoices.some(({ payments }) => payments.length > 0),
    (reality, order, nth, now) =>
      reality.transition(now, async ({ db, platformId, actor }) => {
        const amountMinor = order.invoices[nth]?.payments.at(-1) ?? 0;
        const reopened = { ...paymentOf(order, nth), platformId, actor, at: now };
        if (amountMinor > 0) await reopenUse(db, [{ ...reopened, amountMinor }]);
      }),
    orders.reversePayment,
  );

/** Transitions of invoices: by the module's command, or by the simulator. */
export const byCommand = (which: number, isSettled: boolean) =>
  orderCommand(
    isSettled ? 'settle' : 'disburse',
    which,
    isSettled ? 'settle' : 'disburse',
    (reality, { id }, now) =>
      reality.transition(now, (context) =>
        isSettled ? settleOrder(context, id) : disburseOrder(context, id),
      ),
    (model, order) => (isSettled ? orders.settle(model, order) : orders.disburse(order)),
  );

const creating = fc
  .tuple(amount, term, script, fc.nat(TAKEN))
  .map(([gross, chosen, requested, taken]) => createOrder(gross, chosen, requested, taken === TAKEN));
const simulating = fc
  .tuple(nth, fc.constantFrom(...Object.keys(SIMULATED)))
  .map(([which, trigger]) => simulateOrder(which, trigger));
const invoicing = fc
  .tuple(nth, fc.constantFrom<keyof typeof PARTS>('whole', 'half', 'half', 'more'))
  .map(([which, part]) => invoice(which, part));

export const orderCommands = [
  fc
    .tuple(amount, script, fc.nat(TAKEN))
    .map(([gross, requested, taken]) => createDraft(gross, requested, taken === TAKEN)),
  ...[creating, creating, creating, creating, creating, creating],
  ...[simulating, simulating, simulating, invoicing, invoicing, invoicing],
  amount.map(getTerms),
  nth.map(cancel),
  nth.map(close),
  nth.map(recordPrepayment),
  fc.tuple(nth, term).map(([which, chosen]) => checkout(which, chosen)),
  fc.tuple(nth, term).map(([which, chosen]) => checkout(which, chosen)),
  nth.map(uninvoice),
  fc.tuple(nth, fc.boolean()).map(([which, isWhole]) => pay(which, isWhole)),
  nth.map(reversePayment),
  fc.tuple(nth, fc.boolean()).map(([which, isSettled]) => byCommand(which, isSettled)),
];
