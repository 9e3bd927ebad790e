/** A platform with a merchant, on which debtors place orders on credit. At the end, all facilities are audited. */
import { afterAll, beforeAll, expect } from 'vitest';
import { draftOrderBody, merchantBody } from './bodies.ts';
import { addDebtor, auditCredit, type FacilityInput } from './credit.ts';
import { createWorld, type Reply, type World } from './world.ts';

export const SETUP_NOW = 1_763_640_000;

export interface OrderSetup {
  readonly world: World;
  /** Sends an order, by default on credit for 30 days. */
  order(body: object): Promise<Reply>;
  /** A new buyer with such a facility. */
  debtor(options?: Partial<FacilityInput>): Promise<string>;
}

/** Sets up the `describe` that calls it. A `buyer` with a limit of a million exists too. */
export function useOrderSetup(): OrderSetup {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ platform: { financing_currencies: ['PLN'] } });
    world.clock.set(SETUP_NOW);
    await world.sql('update platforms set max_payment_term = 90');
    await world.post('/v1/merchants', merchantBody({}));
    await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
  });
  afterAll(async () => {
    expect(await auditCredit(world)).toEqual([]);
    await world.close();
  });
  return {
    get world() {
      return world;
    },
    order: (body) =>
      world.post(
        '/v1/orders',
        draftOrderBody({ payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...body }),
      ),
    async debtor(options = {}) {
      const buyer = `debtor-${++made}`;
      await addDebtor(world, { buyer, totalMinor: 100_000, ...options });
      return buyer;
    },
  };
}

/** An amount without tax. */
export const gross = (minor: number, currency?: string) => ({
  amount: { net: minor, gross: minor, ...(currency && { currency }) },
});
