/** The platform of the marketplace's year with its merchants and buyers, created by requests. */
import { expect } from 'vitest';
import { buyerBody, merchantBody } from './bodies.ts';
import { setLimits } from './credit.ts';
import { type Act, STORY_BEGINS_AT } from './marketplace-days.ts';
import { LANES as LATER_LANES } from './marketplace-second-half.ts';
import { LANES, LIMIT_OF_CAFE_1, LIMITS } from './marketplace-story.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

const PRICES = {
  tax_basis_points: 1_900,
  fee_basis_points: { A: {}, B: { DEFER_14D: 0, DEFER_30D: 100, SPLIT_3M: 200 }, C: {}, D: {} },
};
const PLATFORM: NonNullable<WorldOptions['platform']> = {
  financing_currencies: ['GBP', 'JPY'],
  account_holder: 'Markthalle GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  account_town: 'Hamburg',
  account_country: 'DE',
};
/** Merchants in other countries, in which the fee of a service is taxed differently. */
const FOREIGN: Record<string, object> = {
  bakery: {
    business_address: { postcode: '1010', city: 'Wien', country: 'AT' },
    business_identifiers: [{ type: 'VAT_ID', value: 'ATU66664013', country: 'AT' }],
  },
  'tea-house': { business_address: { postcode: '100-0001', city: 'Tokyo', country: 'JP' } },
};

const ALL_LANES = [...LANES, ...LATER_LANES];
const BUYERS = new Map(ALL_LANES.flatMap(({ buyers, currency }) => buyers.map((buyer) => [buyer, currency])));

export interface Marketplace {
  world: World;
  /** The creditor reference of each invoice that was played. */
  references: Map<string, string>;
  made(path: string, body: object, status?: number): Promise<void>;
  setClock(now: number): Promise<void>;
  play(act: Act): Promise<void>;
  /** The periods of 90 days end on days 90, 180, 270 and 360. */
  renewFacilities(): Promise<void>;
}

export async function createMarketplace(): Promise<Marketplace> {
  const world = await createWorld({
    settings: { TRADELINE_WORKER: 'off', TRADELINE_RATE_LIMIT_PER_SECOND: '0' },
    platform: PLATFORM,
  });
  world.clock.set(STORY_BEGINS_AT);
  await setLimits(world, { price_table: PRICES });
  const references = new Map<string, string>();
  const made = async (path: string, body: object, status = 201) => {
    const reply = await world.post(path, body);
    expect(`${path} ${reply.status} ${reply.text}`).toMatch(`${path} ${status} `);
  };
  for (const external_id of new Set(ALL_LANES.map(({ merchant }) => merchant)))
    await made('/v1/merchants', merchantBody({ external_id, ...FOREIGN[external_id] }));
  for (const [buyer, currency] of BUYERS) {
    await made('/v1/buyers', buyerBody({ external_id: buyer, contact_email: `in-review@${buyer}.example` }));
    await made(`/v1/buyers/${buyer}/facility`, { currency }, 202);
    // A person grants the facility, in the currency of the buyer's orders.
    const total_amount = buyer === 'cafe-1' ? LIMIT_OF_CAFE_1 : LIMITS[currency];
    await made('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'grant', total_amount }, 200);
  }
  return {
    ...{ world, references, made },
    setClock: (now) => made('/v1/sandbox/clock', { now }, 200),
    async renewFacilities() {
      for (const buyer of BUYERS.keys())
        await made('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'renew' }, 200);
    },
    async play({ method, path, body, status = 201, reason, answer }) {
      const reply = await world.send(method, path, { body });
      expect(`${path} ${JSON.stringify(body)} ${reply.status} ${reply.text}`).toContain(` ${status} {`);
      if (reason !== undefined) expect(reply.body.reason).toBe(reason);
      if (answer !== undefined) expect({ path, ...reply.body }).toMatchObject({ path, ...answer });
      if (path === '/v1/invoices') references.set(reply.body.external_id, reply.body.payment_reference);
    },
  };
}
