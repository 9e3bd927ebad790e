/** The days of the marketplace's year, and the types of its pages. Day 0 is Monday, 5 January 2026 (UTC). */

/** 2026-01-05 00:00 UTC. */
export const STORY_BEGINS_AT = 1_767_571_200;

const DAY = 86_400;
const NOON = 43_200;

/** Noon of a day of the story, in unix seconds. */
export const noonOf = (day: number) => STORY_BEGINS_AT + day * DAY + NOON;
export const midnightOf = (day: number) => STORY_BEGINS_AT + day * DAY;

/** The date of a day of the story: 2026-01-05 for day 0. */
export const dateOf = (day: number) => new Date(midnightOf(day) * 1_000).toISOString().slice(0, 10);

/** The same day of a later month. No order of the story is made after the 30th. */
export function dayAfterMonths(day: number, months: number): number {
  const date = new Date(midnightOf(day) * 1_000);
  date.setUTCMonth(date.getUTCMonth() + months);
  return Math.round((date.getTime() / 1_000 - STORY_BEGINS_AT) / DAY);
}

export interface PlannedPayment {
  /** Days after the order; `month` counts calendar months instead. */
  day?: number;
  month?: number;
  minor: number;
  receivedBy: 'PLATFORM' | 'MERCHANT';
}

interface PlannedInvoice {
  /** Days after the order. */
  day: number;
  net: number;
  tax: number;
  payments: PlannedPayment[];
}

export interface Lane {
  name: string;
  merchant: string;
  currency: 'EUR' | 'GBP' | 'JPY';
  term: string;
  /** The buyers of even and of odd weeks. */
  buyers: [string, string];
  net: number;
  tax: number;
  invoices: PlannedInvoice[];
}

export const toPlatform = (minor: number, when: { day: number } | { month: number }): PlannedPayment => ({
  ...when,
  minor,
  receivedBy: 'PLATFORM',
});
export const toMerchant = (minor: number, when: { day: number }): PlannedPayment => ({
  ...when,
  minor,
  receivedBy: 'MERCHANT',
});

/** A request on a day of the story. */
export interface Act {
  day: number;
  method: 'POST';
  path: string;
  body: object | Buffer;
  /** The expected status; 201 by default. */
  status?: number;
  /** The expected reason of a refusal. */
  reason?: string;
  /** Fields that the answer has. */
  answer?: object;
}

export const post = (day: number, path: string, body: object, expected: Partial<Act> = {}): Act => ({
  ...{ day, method: 'POST', path, body },
  ...expected,
});

export const pay = (day: number, invoice: string, id: string, payment: object) =>
  post(day, `/v1/invoices/${invoice}/payments`, { external_id: id, ...payment });

export const creditNote = (day: number, invoice: string, reason_code: string, net: number, tax: number) =>
  post(day, '/v1/credit_notes', {
    ...{ external_id: `cn-${invoice}`, invoice_external_id: invoice, reason_code },
    amount: { net, tax, gross: net + tax },
  });

const key = (lane: string, week: number) => `${lane}-${week}`;

/** The external_id of an invoice of an order: `festivals-8-b` is the second. */
export const invoiceIdOf = (lane: string, week: number, index = 0) =>
  key(lane, week) + (index > 0 ? '-b' : '');

/** An order of a lane in a week and its invoices, as planned. */
export function ordered(lane: Lane, week: number, buyer = lane.buyers[week % 2]): Act[] {
  const orderedOn = 7 * week;
  const id = key(lane.name, week);
  const amountOf = (net: number, tax: number) => ({ net, tax, gross: net + tax, currency: lane.currency });
  const order = post(orderedOn, '/v1/orders', {
    ...{ external_id: id, buyer_external_id: buyer, merchant_external_id: lane.merchant },
    ...{ amount: amountOf(lane.net, lane.tax), payment_method: 'TRANSFER', payment_term: lane.term },
  });
  const invoices = lane.invoices.map(({ day, net, tax }, index) => {
    const invoiceId = invoiceIdOf(lane.name, week, index);
    return post(orderedOn + day, '/v1/invoices', {
      ...{ external_id: invoiceId, invoice_number: invoiceId, order_external_ids: [id] },
      amount: amountOf(net, tax),
    });
  });
  return [order, ...invoices];
}

/** A payment of an invoice of the story. */
export interface StoryPayment extends Pick<PlannedPayment, 'minor' | 'receivedBy'> {
  day: number;
  /** `coffee-3-p1` is the first of the first invoice. */
  id: string;
  invoiceId: string;
  currency: Lane['currency'];
}

/** The planned payments of a lane in a week, with their days. */
export function paymentsOf(lane: Lane, week: number): StoryPayment[] {
  return lane.invoices.flatMap(({ payments }, index) => {
    const invoiceId = invoiceIdOf(lane.name, week, index);
    return payments.map(({ day, month, minor, receivedBy }, nth) => ({
      day: month === undefined ? 7 * week + (day as number) : dayAfterMonths(7 * week, month),
      id: `${invoiceId}-p${nth + 1}`,
      ...{ invoiceId, minor, receivedBy, currency: lane.currency },
    }));
  });
}

/** The payment as a request. */
export const recorded = ({ day, id, invoiceId, minor, receivedBy }: StoryPayment, paidAt?: number) =>
  pay(day, invoiceId, id, {
    amount: minor,
    received_by: receivedBy,
    ...(paidAt !== undefined && { paid_at: paidAt }),
  });
