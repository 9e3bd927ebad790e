/**
 * PostgreSQL compares the plan for given values with the generic one, and plans again at each call if the first looks cheaper, which
 * it does for a list whose length it sees. Planning takes as long as the statement. Each statement of a purchase must be planned once.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody, draftOrderBody, invoiceBody } from '#test/bodies';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { isOnCluster } from '#test/cluster';
import { grantFacility } from '#test/credit';
import { isPlannedAtEachRun, listenToPrepared, type SentStatement } from '#test/plans';
import { NO_ADDRESS, registerId, registryEntry } from '#test/registry-entry';
import { createWorld, type Reply, type World } from '#test/world';

/** The number of purchases that give the tables statistics like those of an active platform. */
const PURCHASES = 20;

let world: World;
let checkout: CheckoutWorld;
const sent: SentStatement[] = [];
const endListening = listenToPrepared(sent);
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  checkout = await createCheckout(world);
  const companies = Array.from({ length: PURCHASES }, (_, nth) => companyOf(nth));
  await writeCompanies(world.installation.db, companies, 1_799_999_000);
  await resembleLargeTables();
});
afterAll(async () => {
  endListening();
  await world.close();
});

// A cluster plans on which node each statement runs.
it.skipIf(isOnCluster())(
  'of a checkout, an order, an invoice and its payment',
  async () => {
    for (let nth = 0; nth < PURCHASES; nth++) await purchase(nth);
    await collectStatistics();
    const lastOfEach = new Map(sent.splice(0).map((each) => [each.text, each]));
    expect(lastOfEach.size).toBeGreaterThan(60);
    const planned: string[] = [];
    for (const each of lastOfEach.values())
      if (await isPlannedAtEachRun(world.installation.db, each)) planned.push(each.text);
    expect(planned).toEqual([]);
  },
  120_000,
);

async function purchase(nth: number): Promise<void> {
  await walkCheckout(nth);
  await trade(nth);
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

/**
 * PostgreSQL would collect statistics at any moment of the test, and compare costs from before with costs from after it. Pages that hold
 * few rows make small tables as large as those of an active platform: in a table of one page, one row costs as much as ten.
 */
async function resembleLargeTables(): Promise<void> {
  await world.sql(`do $$ declare name regclass; begin
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false, fillfactor = 10)', name);
    end loop;
  end $$`);
}

/**
 * PostgreSQL knows all values of a column if there are at most as many as the target, and then finds that a new buyer has fewer rows than
 * the others. In large tables it does not know them.
 */
async function collectStatistics(): Promise<void> {
  await world.sql(`do $$ begin
    perform set_config('default_statistics_target', '10', true);
    execute 'analyze';
  end $$`);
}
