/**
 * PostgreSQL compares the plan for given values with the generic one, and plans again at each call if the first looks cheaper, which
 * it does for a list whose length it sees. Planning takes as long as the statement. Each statement of a purchase must be planned once.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '#infra/database/database';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody, draftOrderBody, invoiceBody } from '#test/bodies';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { isOnCluster } from '#test/cluster';
import { grantFacility } from '#test/credit';
import { NO_ADDRESS, registerId, registryEntry } from '#test/registry-entry';
import { createWorld, type Reply, type World } from '#test/world';

/** The number of purchases that give the tables statistics like those of an active platform. */
const BEFORE = 20;
const MEASURED = 20;
/** PostgreSQL makes five plans for given values before it compares, and a few more if the costs are about the same. */
const PLANS_MAX = 10;

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  // Its statements would take turns on the connections.
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  checkout = await createCheckout(world);
  const companies = Array.from({ length: BEFORE + MEASURED }, (_, nth) => companyOf(nth));
  await writeCompanies(world.installation.db, companies, 1_799_999_000);
  await keepStatistics();
});
afterAll(() => world.close());

// A cluster plans on which node each statement runs.
it.skipIf(isOnCluster())(
  'of a checkout, an order, an invoice and its payment',
  async () => {
    await purchase(0, BEFORE);
    await world.sql('analyze');
    await forgetPlans();
    await purchase(BEFORE, MEASURED);
    const planned = await plansOf(world.installation.db);
    expect(planned.filter(({ calls }) => calls > PLANS_MAX).length).toBeGreaterThan(50);
    expect(planned.filter(({ custom }) => custom > PLANS_MAX)).toEqual([]);
  },
  120_000,
);

async function purchase(from: number, count: number): Promise<void> {
  for (let nth = from; nth < from + count; nth++) {
    await walkCheckout(nth);
    await trade(nth);
  }
}

/** A purchase of a new company of the registry, which is granted credit. */
async function walkCheckout(nth: number): Promise<void> {
  const { token } = await checkout.draft();
  const visitor = await visit(checkout, token);
  await visitor.send((forms, sender) => forms.chooseCompany(sender, `TEST-${nth}`));
  await visitor.enterDetails({ person: { email: `kim@bistro-${nth}.example` } });
  await visitor.choosePayment('DEFER_30D');
  await visitor.placeOrder();
  expect((await visitor.view()).outcome).toBe('CONFIRMED');
}

function companyOf(nth: number): RegistryEntry {
  return registryEntry({
    registryKey: `${nth}`,
    legalName: `Bistro ${nth} GmbH`,
    tradingName: null,
    legalForm: 'GmbH',
    address: {
      ...NO_ADDRESS,
      street: 'Kanalweg',
      house: `${nth}`,
      postcode: '10435',
      city: 'Berlin',
      country: 'DE',
    },
    identifiers: [registerId(`HRB ${100_000 + nth} B`)],
    website: `https://bistro-${nth}.example`,
  });
}

async function trade(nth: number): Promise<void> {
  const [buyer, order, invoice] = [`buyer-${nth}`, `order-${nth}`, `invoice-${nth}`];
  const made = async (reply: Promise<Reply>) => expect((await reply).text).not.toContain('"errors"');
  await made(world.post('/v1/buyers', buyerBody({ external_id: buyer })));
  await grantFacility(world, { buyer, totalMinor: 1_000_000 });
  const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
  await made(
    world.post('/v1/orders', draftOrderBody({ external_id: order, buyer_external_id: buyer, ...term })),
  );
  const { amount } = invoiceBody({});
  const ofOrder = { external_id: invoice, order_external_ids: [order], invoice_number: invoice, amount };
  await made(world.post('/v1/invoices', ofOrder));
  await made(world.get(`/v1/orders/${order}`));
  await made(world.get(`/v1/buyers/${buyer}/facility`));
  const payment = { external_id: `payment-${nth}`, amount: 5_000, received_by: 'PLATFORM' };
  await made(world.post(`/v1/invoices/${invoice}/payments`, payment));
}

/** PostgreSQL would collect them at any moment of the test, and compare costs from before with costs from after it. */
async function keepStatistics(): Promise<void> {
  await world.sql(`do $$ declare name regclass; begin
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', name);
    end loop;
  end $$`);
}

/** A plan belongs to a connection. */
async function forgetPlans(): Promise<void> {
  const { db } = world.installation;
  // Ends its own connection too.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user`
    .execute(db)
    .catch(() => {});
  await expect.poll(async () => (await world.get('/v1/platform')).status).toBe(200);
}

interface Planned {
  statement: string;
  calls: number;
  /** Plans made for the values of one call. */
  custom: number;
}

/** The prepared statements of all open connections. */
async function plansOf(db: Db): Promise<Planned[]> {
  const read = () =>
    db.connection().execute(async (one) => {
      const { rows } = await sql<Planned>`
        select statement, (custom_plans + generic_plans)::integer as calls, custom_plans::integer as custom
        from pg_prepared_statements, pg_sleep(0.2)`.execute(one);
      return rows;
    });
  return (await Promise.all(Array.from({ length: 10 }, read))).flat();
}
