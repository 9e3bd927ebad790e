/** The uses of the credit limit on the page of its buyer: the listed ones sum to the amounts above them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCreditUsingInvoices } from '#modules/invoices';
import { disburseOrder, listReservingOrders } from '#modules/orders';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { openedPage, type PageBrowser } from '#test/buyer-page';
import { isOnCluster } from '#test/cluster';
import { act, auditCredit, facilityOf, grantFacility } from '#test/credit';
import { grossOf } from '#test/invoice-setup';
import { readBy } from '#test/plans';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;
const LISTED = 100;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A buyer on credit who reads English, and its page. */
async function addBuyer(id: string): Promise<PageBrowser> {
  const email = `einkauf@${id}.example`;
  await world.post('/v1/buyers', buyerBody({ external_id: id, contact_email: email }));
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
  await grantFacility(world, { buyer: id, totalMinor: 10_000_000 });
  return openedPage(world, id, email);
}

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await world.post(path, body);
  expect(`${status} ${text}`).toMatch(/^201/);
}
const order = (buyer: string, external_id: string, minor: number) =>
  create('/v1/orders', {
    ...{ external_id, buyer_external_id: buyer, merchant_external_id: 'merchant', ...grossOf(minor) },
    ...{ payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
  });
const invoice = (external_id: string, orders: string[], minor: number) =>
  create('/v1/invoices', { external_id, order_external_ids: orders, ...grossOf(minor) });

interface ShownCredit {
  used: number;
  reserved: number;
  /** By name, in minor units. */
  uses: [name: string, minor: number][];
}

async function shownBy(page: PageBrowser): Promise<ShownCredit> {
  const { status, text } = await page.get('credit');
  expect(status).toBe(200);
  const rows = [...text.matchAll(/<dt>(.*?)<\/dt><dd><bdi>(.*?)<\/bdi>/gs)].map(
    ([, name = '', amount = '']): [string, number] => [
      name.replaceAll(/<[^>]*>/g, ''),
      Number(amount.replaceAll(/\D/g, '')),
    ],
  );
  const minorOf = (nth: number) => rows[nth]?.[1] ?? 0;
  return { used: minorOf(1), reserved: minorOf(2), uses: rows.slice(4) };
}

/** The sums of the listed invoices and orders. */
function sumsOf({ uses }: ShownCredit): { used: number; reserved: number } {
  const sumOf = (kind: RegExp) =>
    uses.filter(([name]) => kind.test(name)).reduce((sum, [, minor]) => sum + minor, 0);
  return { used: sumOf(/invoice/i), reserved: sumOf(/order/i) };
}

describe('what uses the limit', () => {
  it('has what an order still reserves, once a part of it is invoiced and paid out too', async () => {
    const page = await addBuyer('disbursed');
    await order('disbursed', 'order-disbursed', 100_000);
    const reserving: ShownCredit['uses'] = [['Order order-disbursed', 100_000]];
    expect(await shownBy(page)).toEqual({ used: 0, reserved: 100_000, uses: reserving });
    await invoice('first-part', ['order-disbursed'], 40_000);
    const inPart: ShownCredit['uses'] = [
      ['Invoice first-part', 40_000],
      ['Order order-disbursed', 60_000],
    ];
    expect(await shownBy(page)).toEqual({ used: 40_000, reserved: 60_000, uses: inPart });
    await act(world, (context) => disburseOrder(context, 'order-disbursed'));
    expect((await world.get('/v1/orders/order-disbursed')).body.status).toBe('DISBURSED');
    expect(await shownBy(page)).toEqual({ used: 40_000, reserved: 60_000, uses: inPart });
    await invoice('rest', ['order-disbursed'], 60_000);
    const { used, reserved, uses } = await shownBy(page);
    expect([used, reserved, uses.map(([name]) => name)]).toEqual([
      ...[100_000, 0],
      ['Invoice first-part', 'Invoice rest'],
    ]);
  });

  it('has lines for a hundred invoices and orders that use it, and one for the others', async () => {
    const page = await addBuyer('many');
    // They use no credit, and are due before the others.
    for (let nth = 0; nth < LISTED; nth++)
      await create(
        '/v1/invoices',
        invoiceBody({ external_id: `cash-${nth}`, buyer_external_id: 'many', due_at: NOW + DAY }),
      );
    await order('many', 'large', 10_300);
    for (let nth = 0; nth < LISTED + 3; nth++) await invoice(`of-large-${nth}`, ['large'], 100);
    for (let nth = 0; nth < LISTED + 1; nth++) await order('many', `small-${nth}`, 50);
    const shown = await shownBy(page);
    expect(shown.uses).toHaveLength(2 * LISTED + 2);
    expect(shown.uses).toContainEqual(['3 more invoices', 300]);
    expect(shown.uses.at(-1)).toEqual(['1 more order', 50]);
    expect(shown.uses.flatMap(([name]) => (name.includes('cash') ? [name] : []))).toEqual([]);
    const { used, pending } = await facilityOf(world, 'many');
    expect([used, pending]).toEqual([10_300, 50 * (LISTED + 1)]);
    expect(sumsOf(shown)).toEqual({ used, reserved: pending });
    expect([shown.used, shown.reserved]).toEqual([used, pending]);
  }, 120_000);

  // On a cluster, the nodes make the plans.
  it.skipIf(isOnCluster())('is read without what has ended', async () => {
    const page = await addBuyer('old');
    await order('old', 'running', 1_000);
    await invoice('of-running', ['running'], 400);
    const platformId = world.platform.platform_id;
    const parties = `'old' as buyer_external_id, 'merchant' as merchant_external_id, 'EUR' as currency, '[]'::json as line_items,
      1 as amount_net, 1 as amount_gross, 0 as amount_tax, n as created_at, n as updated_at, 'CLOSED' as status`;
    const ended = {
      orders: 'n as ordered_at',
      invoices: `n as invoiced_at, n as due_at, '1970-01-02' as due_on, n as agreed_due_at, 'TRANSFER' as payment_method,
        'RF-old-' || n as payment_reference, 1 as paid_amount, n as paid_at`,
    };
    for (const [table, columns] of Object.entries(ended)) {
      const rows = `select $1::int as platform_id, 'ended-' || n as external_id, ${parties}, ${columns} from generate_series(1, 5000) n`;
      await world.sql(
        `insert into ${table} (${[...rows.matchAll(/ as (\w+)/g)].map(([, name]) => name).join()}) ${rows}`,
        [platformId],
      );
      await world.sql(`vacuum analyze ${table}`);
    }
    const reads = [
      await readBy(world, (db) => listReservingOrders(db, platformId, 'old', LISTED)),
      await readBy(world, (db) => listCreditUsingInvoices(db, platformId, 'old', LISTED)),
    ];
    expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThan(10);
    expect((await shownBy(page)).uses).toEqual([
      ['Invoice of-running', 400],
      ['Order running', 600],
    ]);
  });
});
