import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { completeCheckout, confirmOrder, declineOrder, disburseOrder, expireOrder } from '#modules/orders';
import type { ChangeContext } from '#operation/operation';
import { act, auditCredit } from '#test/credit';
import {
  addParties,
  GROSS_MINOR,
  invoice,
  PART_MINOR,
  STATES,
  type State,
  settle,
  uninvoice,
} from '#test/order-statuses';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await addParties(world);
});
afterAll(() => world.close());

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an order, or a refusal.
  body: any;
}

/** A transition by command, answered as the API would. */
async function command(transition: (context: ChangeContext) => Promise<unknown>): Promise<Answer> {
  try {
    return { status: 200, body: await act(world, transition) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { reason: error.reason, details: error.details } };
  }
}

const choice = {
  paymentMethod: 'TRANSFER',
  paymentTerm: 'DEFER_30D',
  deliveryAddress: null,
  contactEmail: 'kim@bistro.example',
} as const;
const caller = () => {
  const { code, data_key_wrapped } = world.platform;
  return { isSandbox: true, vault: world.installation.vault.forPlatform(code, data_key_wrapped) };
};

const TRIGGERS: Record<string, (id: string) => Promise<Answer>> = {
  complete_checkout: (id) => command((context) => completeCheckout({ ...context, ...caller() }, id, choice)),
  confirm: (id) => command((context) => confirmOrder(context, id)),
  decline: (id) => command((context) => declineOrder(context, id)),
  cancel: (id) => world.post(`/v1/orders/${id}/cancel`),
  close: (id) => world.post(`/v1/orders/${id}/close`),
  expire: (id) => command((context) => expireOrder(context, id)),
  invoice: (id) => command(() => invoice(world, id, 1_000)),
  uninvoice: (id) => command(() => uninvoice(world, id, PART_MINOR, PART_MINOR)),
  pay: (id) => world.post(`/v1/orders/${id}/paid`),
  disburse: (id) => command((context) => disburseOrder(context, id)),
  settle: (id) => command(() => settle(world, id)),
};

/** The triggers that the lifecycle allows in each state, in the order of the table. */
const ALLOWED: Record<string, string[]> = {
  DRAFT: ['complete_checkout', 'complete_checkout_for_review', 'cancel'],
  PENDING_CONFIRMATION: ['confirm', 'decline', 'cancel', 'expire'],
  CONFIRMED: [
    'pay',
    'invoice',
    'uninvoice',
    'cancel',
    'close',
    'close_short',
    'expire',
    'disburse',
    'settle',
  ],
  DISBURSED: ['invoice', 'uninvoice', 'close_short', 'settle'],
  CLOSED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** Triggers that the end of an order's invoices fires. An order that cannot follow stays unchanged. */
const FOLLOWING = ['uninvoice', 'settle'];

/** State, trigger, new status, event, and the reserved amount. Everything else is refused or changes nothing. */
const TRANSITIONS: [State, string, string, string | null, number][] = [
  ['DRAFT', 'complete_checkout', 'CONFIRMED', 'ORDER.CONFIRMED', GROSS_MINOR],
  ['DRAFT', 'cancel', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['PENDING_CONFIRMATION', 'confirm', 'CONFIRMED', 'ORDER.CONFIRMED', GROSS_MINOR],
  ['PENDING_CONFIRMATION', 'decline', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['PENDING_CONFIRMATION', 'cancel', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['PENDING_CONFIRMATION', 'expire', 'EXPIRED', 'ORDER.EXPIRED', 0],
  ['CONFIRMED, prepaid', 'pay', 'CONFIRMED', null, 0],
  ['CONFIRMED, prepaid', 'expire', 'EXPIRED', 'ORDER.EXPIRED', 0],
  ['CONFIRMED, prepaid', 'cancel', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['CONFIRMED, prepaid', 'close', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['CONFIRMED, prepaid', 'invoice', 'CONFIRMED', null, 0],
  ['CONFIRMED', 'cancel', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['CONFIRMED', 'close', 'CANCELLED', 'ORDER.CANCELLED', 0],
  ['CONFIRMED', 'expire', 'EXPIRED', 'ORDER.EXPIRED', 0],
  ['CONFIRMED', 'invoice', 'CONFIRMED', null, GROSS_MINOR - 1_000],
  ['CONFIRMED, invoiced', 'invoice', 'CONFIRMED', null, GROSS_MINOR - PART_MINOR - 1_000],
  ['CONFIRMED, invoiced', 'uninvoice', 'CONFIRMED', null, GROSS_MINOR],
  ['CONFIRMED, invoiced', 'close', 'CONFIRMED', null, 0],
  ['CONFIRMED, invoiced', 'disburse', 'DISBURSED', 'ORDER.DISBURSED', GROSS_MINOR - PART_MINOR],
  ['DISBURSED', 'invoice', 'DISBURSED', null, GROSS_MINOR - PART_MINOR - 1_000],
  ['DISBURSED', 'uninvoice', 'DISBURSED', null, GROSS_MINOR],
  ['DISBURSED', 'close', 'DISBURSED', null, 0],
];

/** Triggers that the status allows but whose guard the state does not meet. */
const UNGUARDED: [State, string, string][] = [
  ['CONFIRMED, prepaid', 'disburse', 'disburse'],
  ['CONFIRMED', 'pay', 'pay'],
  ['CONFIRMED', 'disburse', 'disburse'],
  ['CONFIRMED, invoiced', 'pay', 'pay'],
  ['CONFIRMED, invoiced', 'expire', 'expire'],
];

let made = 0;
async function orderIn(state: State): Promise<string> {
  const id = `order-${++made}`;
  await STATES[state](world, id);
  return id;
}

const stored = async (id: string) => {
  const [row] = await world.sql<Record<string, string | number>>(
    'select * from orders where external_id = $1',
    [id],
  );
  return row as Record<string, string | number>;
};

describe('an order', () => {
  it.each(TRANSITIONS)('%s, %s: %s', async (state, trigger, to, event, reserved) => {
    const id = await orderIn(state);
    const before = await stored(id);
    const { status, body } = await (TRIGGERS[trigger] as (id: string) => Promise<Answer>)(id);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: to } });
    const after = await stored(id);
    expect(after).toMatchObject({
      status: to,
      version: Number(before.version) + 1,
      reserved_amount: String(reserved),
    });
    expect((await orderTransitions(world, id)).at(-1)).toMatchObject({
      from_status: before.status,
      to_status: to,
      version: after.version,
    });
    const seen = (await recordedEvents(world, id)).filter(({ data }) => data.sequence === after.version);
    expect(seen.map(({ type, data }) => [type, data.status, data.previous_status])).toEqual(
      event === null ? [] : [[event, to, before.status]],
    );
    expect(await auditCredit(world)).toEqual([]);
  });

  const legal = new Set([...TRANSITIONS, ...UNGUARDED].map(([state, trigger]) => `${state} ${trigger}`));
  const illegal = (Object.keys(STATES) as State[]).flatMap((state) =>
    Object.keys(TRIGGERS)
      .filter((trigger) => !legal.has(`${state} ${trigger}`))
      // An invoice releases only what it used, and an order with an invoice has its own reason.
      .filter((trigger) => !(state.match(/^CONFIRMED(, prepaid)?$/) && trigger === 'uninvoice'))
      .filter((trigger) => !(state === 'CONFIRMED, invoiced' && trigger === 'cancel'))
      .map((trigger) => [state, trigger] as const),
  );

  it('covers every transition', () => {
    expect(illegal.length + legal.size + 3).toBe(Object.keys(STATES).length * Object.keys(TRIGGERS).length);
  });

  const ignored = illegal.filter(([, trigger]) => FOLLOWING.includes(trigger));
  it.each(ignored)('%s stays as it is at %s', async (state, trigger) => {
    const id = await orderIn(state);
    const before = await stored(id);
    expect((await (TRIGGERS[trigger] as (id: string) => Promise<Answer>)(id)).status).toBe(200);
    expect(await stored(id)).toEqual(before);
  });

  const notInvoiceable = illegal.filter(([, trigger]) => trigger === 'invoice');
  it.each(notInvoiceable)('%s refuses %s, and says why', async (state) => {
    const id = await orderIn(state);
    const before = await stored(id);
    const { status, body } = await (TRIGGERS.invoice as (id: string) => Promise<Answer>)(id);
    expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'ORDER_NOT_INVOICEABLE' });
    expect(body.details).toMatchObject({ order_external_id: id, status: before.status });
    expect(await stored(id)).toEqual(before);
  });

  const refused = illegal.filter((each) => !ignored.includes(each) && !notInvoiceable.includes(each));
  it.each(refused)('%s refuses %s, and lists the allowed triggers', async (state, trigger) => {
    const id = await orderIn(state);
    const before = await stored(id);
    const { status, body } = await (TRIGGERS[trigger] as (id: string) => Promise<Answer>)(id);
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'INVALID_STATUS_TRANSITION' });
    const closing = Number(before.invoiced_amount) > 0 ? 'close_short' : 'close';
    expect(body.details).toMatchObject({
      status: before.status,
      trigger: trigger === 'close' ? closing : trigger,
      allowed: ALLOWED[before.status as string],
    });
    expect(await stored(id)).toEqual(before);
  });

  it.each(UNGUARDED)('%s refuses %s, whose guard it does not meet', async (state, trigger) => {
    const id = await orderIn(state);
    const before = await stored(id);
    const { status, body } = await (TRIGGERS[trigger] as (id: string) => Promise<Answer>)(id);
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'INVALID_STATUS_TRANSITION' });
    expect(body.details).toMatchObject({
      status: before.status,
      trigger,
      allowed: ALLOWED[before.status as string]?.filter((each) => each !== trigger),
    });
    expect(await stored(id)).toEqual(before);
  });

  it('that does not exist is not found', async () => {
    for (const transition of Object.values(TRIGGERS)) expect((await transition('nobody')).status).toBe(404);
  });
});
