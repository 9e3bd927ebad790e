/** Orders in each status, created by the transitions that lead there. */
import { notFound } from '#kernel/problem';
import {
  disburseOrder,
  expireOrder,
  findOrder,
  lockOrderAndFacility,
  lockOrdersToInvoice,
  type OrderRow,
  partsOfOrders,
  settleOrders,
  takeFromOrders,
  uninvoiceOrders,
} from '#modules/orders';
import type { ChangeContext } from '#operation/operation';
import { draftOrderBody, merchantBody } from './bodies.ts';
import { act, addDebtor, addOverdue } from './credit.ts';
import type { World } from './world.ts';

/** Adds the parties. Orders of `prompt` are confirmed immediately; a person must review those of `late`. */
export async function addParties(world: World): Promise<void> {
  await world.post('/v1/merchants', merchantBody({}));
  for (const buyer of ['prompt', 'late']) await addDebtor(world, { buyer, totalMinor: 1_000_000_000 });
  await addOverdue(world, 'late', 8, 5_000);
}

export const GROSS_MINOR = 11_900;
export const PART_MINOR = 4_000;

/** An order of 11,900, in some states with an invoice of 4,000. */
export const STATES = {
  DRAFT: async (world: World, external_id: string) => {
    await post(world, '/v1/orders/draft', draftOrderBody({ external_id, buyer_external_id: 'prompt' }));
  },
  PENDING_CONFIRMATION: (world: World, external_id: string) => order(world, external_id, 'late'),
  CONFIRMED: (world: World, external_id: string) => order(world, external_id, 'prompt'),
  'CONFIRMED, prepaid': (world: World, external_id: string) =>
    order(world, external_id, 'prompt', 'PREPAYMENT'),
  'CONFIRMED, invoiced': async (world: World, external_id: string) => {
    await order(world, external_id, 'prompt');
    await invoice(world, external_id, PART_MINOR);
  },
  DISBURSED: async (world: World, external_id: string) => {
    await STATES['CONFIRMED, invoiced'](world, external_id);
    await act(world, (context) => disburseOrder(context, external_id));
  },
  CLOSED: async (world: World, external_id: string) => {
    await order(world, external_id, 'prompt');
    await invoice(world, external_id, GROSS_MINOR);
    await settle(world, external_id);
  },
  CANCELLED: async (world: World, external_id: string) => {
    await order(world, external_id, 'prompt');
    await post(world, `/v1/orders/${external_id}/cancel`, {});
  },
  EXPIRED: async (world: World, external_id: string) => {
    await order(world, external_id, 'prompt');
    await act(world, (context) => expireOrder(context, external_id));
  },
};
export type State = keyof typeof STATES;

/** The order after a change by one of its invoices. Throws NOT_FOUND. */
const change = (
  world: World,
  externalId: string,
  work: (context: ChangeContext, order: OrderRow) => Promise<unknown>,
): Promise<OrderRow> =>
  act(world, async (context) => {
    const { db, platformId } = context;
    const key = { platformId, externalId };
    const found = await findOrder(db, key);
    if (!found) throw notFound();
    await work(context, found);
    return (await findOrder(db, key)) as OrderRow;
  });

/** Applies an invoice to an order. */
export const invoice = (world: World, externalId: string, amountMinor: number): Promise<OrderRow> =>
  change(world, externalId, async ({ db, platformId, actor, now: at }, { buyer_external_id }) => {
    const taking = { buyerExternalId: buyer_external_id, invoiceExternalId: `of-${externalId}` };
    const orders = await lockOrdersToInvoice(db, platformId, [{ ...taking, orderExternalIds: [externalId] }]);
    const parts = partsOfOrders([...orders.values()], amountMinor);
    const [problem] = await takeFromOrders(db, platformId, [{ ...taking, parts, actor, at }]);
    if (problem) throw problem;
  });

/** Returns the amount of a cancelled invoice to its order; `usedMinor` of it was still used. */
export const uninvoice = (
  world: World,
  externalId: string,
  amountMinor: number,
  usedMinor: number,
): Promise<OrderRow> =>
  change(world, externalId, (context) =>
    uninvoiceOrders(context, [
      { orderExternalId: externalId, invoiceExternalId: `of-${externalId}`, amountMinor, usedMinor },
    ]),
  );

/** Applies the payment of the last invoice to its order. */
export const settle = (world: World, externalId: string): Promise<OrderRow> =>
  change(world, externalId, async (context) => {
    await lockOrderAndFacility(context, externalId);
    const { db, platformId, actor, now } = context;
    await settleOrders(db, platformId, [{ orderExternalId: externalId, actor, now }]);
  });

function order(
  world: World,
  external_id: string,
  buyer_external_id: string,
  payment_term = 'DEFER_30D',
): Promise<void> {
  const term = { payment_method: 'TRANSFER', payment_term };
  return post(world, '/v1/orders', draftOrderBody({ external_id, buyer_external_id, ...term }));
}

async function post(world: World, path: string, body: object): Promise<void> {
  const { status, text } = await world.post(path, body);
  if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
}
