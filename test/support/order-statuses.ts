/** Orders in each status, made by the transitions that lead there. */
import { disburseOrder, expireOrder, invoiceOrder, settleOrder } from '#modules/orders';
import { draftOrderBody, merchantBody } from './bodies.ts';
import { act, addDebtor, addOverdue } from './credit.ts';
import type { World } from './world.ts';

/** Who orders: `prompt` is confirmed at once, a person must look at the orders of `late`. */
export async function addParties(world: World): Promise<void> {
  await world.post('/v1/merchants', merchantBody({}));
  for (const buyer of ['prompt', 'late']) await addDebtor(world, { buyer, totalMinor: 1_000_000_000 });
  await addOverdue(world, 'late', 8, 5_000);
}

export const GROSS_MINOR = 11_900;
export const PART_MINOR = 4_000;

/** An order of 11,900 over which an invoice of 4,000 may stand. */
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
    await act(world, (context) => settleOrder(context, external_id));
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

export const invoice = (world: World, externalId: string, amountMinor: number) =>
  act(world, (context) =>
    invoiceOrder(context, externalId, { invoiceExternalId: `of-${externalId}`, amountMinor }),
  );

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
