/** A world with a merchant and a buyer on credit, in which tests create orders and invoices. */
import { afterAll, beforeAll, expect } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from './bodies.ts';
import { addDebtor, auditCredit } from './credit.ts';
import { createWorld, type Reply, type World } from './world.ts';

/** 2025-11-20 12:00 UTC. */
export const INVOICING_NOW = 1_763_640_000;

async function createInvoicingWorld(): Promise<World> {
  const world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { financing_currencies: ['GBP'] },
  });
  world.clock.set(INVOICING_NOW);
  await world.sql('update platforms set max_payment_term = 180');
  await world.post('/v1/merchants', merchantBody({}));
  await world.post('/v1/merchants', merchantBody({ external_id: 'other-merchant' }));
  await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
  await world.post('/v1/buyers', buyerBody({ external_id: 'stranger' }));
  return world;
}

/** For a test file: creates the world before its tests, and audits and closes it after them. */
export function useInvoicing() {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createInvoicingWorld();
  });
  afterAll(async () => {
    expect(await auditCredit(world)).toEqual([]);
    await world.close();
  });
  const create = (body: object, key?: string): Promise<Reply> =>
    world.post('/v1/invoices', body, key === undefined ? {} : { key });
  return {
    world: () => world,
    create,
    /** Creates a confirmed order on DEFER_30D; returns its external_id. */
    async order(more: object = {}): Promise<string> {
      const external_id = `order-${++made}`;
      const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
      const { status, body } = await world.post(
        '/v1/orders',
        draftOrderBody({ external_id, ...term, ...more }),
      );
      if (status !== 201) throw new Error(JSON.stringify(body));
      return external_id;
    },
    /** Creates an invoice of these orders with a new external_id. */
    invoiceOf: (orders: string[], more: object) =>
      create({ external_id: `invoice-${++made}`, order_external_ids: orders, ...more }),
    /** The fee that the buyer agreed to with the order. */
    async termFeeOf(orderExternalId: string): Promise<AgreedFee> {
      const [row] = await world.sql<{ fee: AgreedFee }>(
        `select term_offer->'fee' as fee from orders where external_id = $1`,
        [orderExternalId],
      );
      if (!row) throw new Error(`There is no order ${orderExternalId}.`);
      return row.fee;
    },
  };
}

export interface AgreedFee {
  net: number;
  tax: number;
  gross: number;
}

export const grossOf = (minor: number) => ({ amount: { net: minor, gross: minor } });
