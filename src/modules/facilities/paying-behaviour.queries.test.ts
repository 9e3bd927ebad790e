import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Currency } from '#kernel/currency';
import { dayOf } from '#kernel/day';
import { addBuyer, addFacility, facilityOf } from '#test/facilities';
import { indexesOf, plansOf, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { type BehaviourQuestion, findPayingBehaviour } from './paying-behaviour.queries.ts';
import {
  recordClosedOrders,
  recordDefaultChanges,
  recordDefaults,
  recordPaidInvoices,
  reversePaidInvoices,
} from './paying-facts.queries.ts';

const DAY = 86_400;
/** 2026-03-31 12:00 UTC: six months before it is 2025-09-30. */
const NOW = Date.parse('2026-03-31T12:00:00Z') / 1_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const db = () => world.installation.db;
const platformId = () => world.platform.platform_id;

/** Records an invoice that was paid on `paidOn`, `daysLate` days late. */
function paidInvoice(buyer: string, paidOn: string, daysLate: number, amountMinor: number, more = {}) {
  return {
    buyerExternalId: buyer,
    invoiceExternalId: `of-${paidOn}`,
    paymentId: 'p-1',
    dueOn: dayOf(Date.parse(paidOn) / 1_000 - daysLate * DAY),
    paidOn,
    currency: 'EUR' as Currency,
    amountMinor,
    at: Date.parse(paidOn) / 1_000,
    ...more,
  };
}

/** An invoice that defaulted. */
function defaulted(buyer: string, invoice: string, day: string, amountMinor: number, more = {}) {
  return {
    buyerExternalId: buyer,
    invoiceExternalId: invoice,
    defaultedOn: day,
    currency: 'EUR' as Currency,
    amountMinor,
    at: Date.parse(day) / 1_000,
    ...more,
  };
}

function behaviourOf(buyer: string, more: Partial<BehaviourQuestion> = {}) {
  const limitPolicy = { overdueGraceDays: 7, defaultMaterialityAmountMinor: 10_000 };
  const question = { at: NOW, currency: 'EUR' as const, timeZone: 'UTC', limitPolicy, ...more };
  return findPayingBehaviour(db(), { platformId: platformId(), buyerExternalId: buyer }, question);
}

/** `HALF_YEAR 2 of 3 weighed 700 x 1400 late 500 worst 8` */
const lines = async (...args: Parameters<typeof behaviourOf>) =>
  (await behaviourOf(...args)).paid
    .map(
      ({ period, invoices, invoicesLate, daysLateMax, weighed }) =>
        `${period} ${invoices} late ${invoicesLate} worst ${daysLateMax}: ${weighed.invoices} of ${weighed.amountMinor}, ${weighed.amountDays} days, late ${weighed.lateMinor}`,
    )
    .sort();

describe('paid invoices', () => {
  it('are summed by half-years and years that end on the day of the question', async () => {
    await addBuyer(world, 'ends');
    await recordPaidInvoices(
      db(),
      platformId(),
      ['2026-03-31', '2025-10-01', '2025-09-30', '2025-04-01', '2025-03-31', '2024-04-01', '2024-03-31'].map(
        (day) => paidInvoice('ends', day, 0, 100),
      ),
    );
    expect(await lines('ends')).toEqual([
      'HALF_YEAR 2 late 0 worst 0: 2 of 200, 0 days, late 0',
      'HALF_YEAR_BEFORE 2 late 0 worst 0: 2 of 200, 0 days, late 0',
      'OLDER 1 late 0 worst 0: 1 of 100, 0 days, late 0',
      'YEAR_BEFORE 2 late 0 worst 0: 2 of 200, 0 days, late 0',
    ]);
  });

  it('are weighed by amount, late beyond the grace, and never early', async () => {
    await addBuyer(world, 'weighed');
    await recordPaidInvoices(db(), platformId(), [
      paidInvoice('weighed', '2026-03-01', -20, 1_000),
      paidInvoice('weighed', '2026-03-02', 7, 300),
      paidInvoice('weighed', '2026-03-03', 8, 50),
    ]);
    expect(await lines('weighed')).toEqual(['HALF_YEAR 3 late 2 worst 8: 3 of 1350, 2500 days, late 50']);
    const limitPolicy = { overdueGraceDays: 6, defaultMaterialityAmountMinor: 0 };
    expect(await lines('weighed', { limitPolicy })).toEqual([
      'HALF_YEAR 3 late 2 worst 8: 3 of 1350, 2500 days, late 350',
    ]);
  });

  it('in other currencies count and are never added', async () => {
    await addBuyer(world, 'abroad');
    await recordPaidInvoices(db(), platformId(), [
      paidInvoice('abroad', '2026-03-01', 2, 1_000),
      paidInvoice('abroad', '2026-03-02', 90, 70_000, { currency: 'JPY' }),
    ]);
    expect(await lines('abroad')).toEqual(['HALF_YEAR 2 late 2 worst 90: 1 of 1000, 2000 days, late 0']);
    expect(await lines('abroad', { currency: 'JPY' })).toEqual([
      'HALF_YEAR 2 late 2 worst 90: 1 of 70000, 6300000 days, late 70000',
    ]);
  });

  it('are exact beyond the numbers of JSON', async () => {
    await addBuyer(world, 'large');
    await recordPaidInvoices(
      db(),
      platformId(),
      Array.from({ length: 20 }, (_, nth) =>
        paidInvoice('large', '2026-03-01', 400, 999_999_999_999_999, { invoiceExternalId: `i-${nth}` }),
      ),
    );
    expect(await lines('large')).toEqual([
      'HALF_YEAR 20 late 20 worst 400: 20 of 19999999999999980, 7999999999999992000 days, late 19999999999999980',
    ]);
  });

  it('count once, and no more once the payment is reversed, until another one', async () => {
    await addBuyer(world, 'bounced');
    const fact = paidInvoice('bounced', '2026-03-01', 0, 100);
    await recordPaidInvoices(db(), platformId(), [fact, fact]);
    await recordPaidInvoices(db(), platformId(), [{ ...fact, amountMinor: 999 }]);
    expect(await lines('bounced')).toEqual(['HALF_YEAR 1 late 0 worst 0: 1 of 100, 0 days, late 0']);
    const reversal = { ...fact, at: NOW - DAY };
    await reversePaidInvoices(db(), platformId(), [reversal, reversal]);
    expect(await lines('bounced')).toEqual([]);
    expect(await lines('bounced', { at: NOW - DAY - 1 })).toHaveLength(1);
    const second = {
      ...paidInvoice('bounced', '2026-03-31', 30, 100),
      invoiceExternalId: fact.invoiceExternalId,
      paymentId: 'p-2',
    };
    await recordPaidInvoices(db(), platformId(), [second]);
    expect(await lines('bounced')).toEqual(['HALF_YEAR 1 late 1 worst 30: 1 of 100, 3000 days, late 100']);
  });

  it('are not known before they were recorded', async () => {
    await addBuyer(world, 'later');
    await recordPaidInvoices(db(), platformId(), [paidInvoice('later', '2026-03-01', 0, 100, { at: NOW })]);
    expect(await lines('later', { at: NOW - 1 })).toEqual([]);
    expect(await lines('later')).toHaveLength(1);
  });
});

describe('defaults', () => {
  it('count above the materiality, with amounts of the facility’s currency', async () => {
    await addBuyer(world, 'debtor');
    await recordDefaults(db(), platformId(), [
      defaulted('debtor', 'a', '2026-01-01', 10_001),
      defaulted('debtor', 'a', '2026-01-01', 55_555),
      defaulted('debtor', 'small', '2026-01-01', 10_000),
      defaulted('debtor', 'yen', '2026-01-02', 20_000, { currency: 'JPY' }),
      defaulted('debtor', 'before', '2025-01-01', 30_000),
    ]);
    const { defaults } = await behaviourOf('debtor');
    expect(defaults).toHaveLength(2);
    expect(defaults).toEqual(
      expect.arrayContaining([
        { period: 'HALF_YEAR', defaults: 2, amountMinor: 10_001n },
        { period: 'YEAR_BEFORE', defaults: 1, amountMinor: 30_000n },
      ]),
    );
  });

  it('remain when they are paid, and are none where nothing was owed', async () => {
    await addBuyer(world, 'cleared');
    await recordDefaults(db(), platformId(), [
      defaulted('cleared', 'paid', '2026-01-01', 50_000),
      defaulted('cleared', 'credited', '2026-01-01', 50_000),
    ]);
    const change = { buyerExternalId: 'cleared', sourceId: 's-1', changedOn: '2026-02-01', at: NOW - DAY };
    await recordDefaultChanges(db(), platformId(), [
      { ...change, invoiceExternalId: 'paid', kind: 'PAID', amountMinor: 50_000 },
      { ...change, invoiceExternalId: 'credited', kind: 'CORRECTED', amountMinor: 40_000 },
      { ...change, invoiceExternalId: 'credited', kind: 'CORRECTED', amountMinor: 40_000 },
    ]);
    const defaultsAt = async (at: number) => (await behaviourOf('cleared', { at })).defaults;
    expect(await defaultsAt(NOW - DAY - 1)).toEqual([
      { period: 'HALF_YEAR', defaults: 2, amountMinor: 100_000n },
    ]);
    expect(await defaultsAt(NOW)).toEqual([{ period: 'HALF_YEAR', defaults: 1, amountMinor: 50_000n }]);
  });
});

describe('facts', () => {
  it('are of one platform', async () => {
    const { platform } = await world.addPlatform();
    const key = { platformId: platform.platform_id, buyerExternalId: 'debtor' };
    const limitPolicy = { overdueGraceDays: 7, defaultMaterialityAmountMinor: 0 };
    expect(
      await findPayingBehaviour(db(), key, { at: NOW, currency: 'EUR', timeZone: 'UTC', limitPolicy }),
    ).toEqual({
      ordersClosed: 0,
      paid: [],
      defaults: [],
    });
  });

  it.each([
    'closed_orders',
    'paid_invoices',
    'paid_invoice_reversals',
    'invoice_defaults',
    'invoice_default_changes',
  ])('of %s cannot be changed or deleted by the service', async (table) => {
    const mayChange = await world.sql(
      `select privilege from unnest(array['insert', 'select', 'update', 'delete', 'truncate']) privilege
        where has_table_privilege('tradeline_service', $1, privilege) order by 1`,
      [table],
    );
    expect(mayChange).toEqual([{ privilege: 'insert' }, { privilege: 'select' }]);
  });

  it('of a reversal or a change need the fact that they are about', async () => {
    const unknown = { buyerExternalId: 'debtor', invoiceExternalId: 'nobody', at: NOW };
    await expect(reversePaidInvoices(db(), platformId(), [{ ...unknown, paymentId: 'p' }])).rejects.toThrow(
      /foreign key/,
    );
    await expect(
      recordDefaultChanges(db(), platformId(), [
        { ...unknown, sourceId: 's', kind: 'PAID', changedOn: '2026-01-01', amountMinor: 1 },
      ]),
    ).rejects.toThrow(/foreign key/);
  });

  it('are read by the range of the buyer, among many of others', async () => {
    await world.sql(
      `insert into paid_invoices select $1, buyer, 'i-' || n, 'p', '2026-01-01', '2026-01-02', 'EUR', n, $2
      from unnest(array['debtor', 'cleared', 'ends']) buyer, generate_series(1, 10000) n`,
      [platformId(), NOW],
    );
    await world.sql('vacuum analyze paid_invoices');
    const limitPolicy = { overdueGraceDays: 7, defaultMaterialityAmountMinor: 0 };
    const key = { platformId: platformId(), buyerExternalId: 'weighed' };
    const plans = await plansOf(world, (listening) =>
      findPayingBehaviour(listening, key, { at: NOW, currency: 'EUR', timeZone: 'UTC', limitPolicy }),
    );
    expect(plans).toHaveLength(1);
    expect(tablesReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toEqual(
      expect.arrayContaining(['closed_orders_pkey', 'invoice_defaults_pkey', 'paid_invoices_pkey']),
    );
  });

  it('are what the next decision reads: a buyer that pays well gets a higher limit, one that defaults none', async () => {
    for (const buyer of ['faithful', 'defaulting']) await addFacility(world, buyer);
    const before = (await facilityOf(world, 'faithful')).total_amount;
    await recordClosedOrders(db(), platformId(), [
      { buyerExternalId: 'faithful', orderExternalId: 'o-1', at: NOW },
    ]);
    await recordPaidInvoices(
      db(),
      platformId(),
      ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => paidInvoice('faithful', day, 0, 50_000)),
    );
    await recordDefaults(db(), platformId(), [defaulted('defaulting', 'bad', '2026-01-01', 50_000)]);
    const renewed = async (buyer: string) => {
      await world.post(`/v1/buyers/${buyer}/facility/renew`);
      const [decision] = await world.sql<{
        outcome: string;
        reasons: string[];
        inputs: Record<string, unknown>;
      }>(
        `select outcome, reasons, inputs from credit_decisions
        where buyer_external_id = $1 and subject = 'FACILITY_RENEWAL'`,
        [buyer],
      );
      return decision;
    };
    expect(await renewed('faithful')).toMatchObject({
      outcome: 'ACCEPT',
      inputs: { orders_closed: 1, invoices_paid_12m: 3, days_beyond_terms_12m: 0 },
    });
    expect((await facilityOf(world, 'faithful')).total_amount).toBeGreaterThan(before);
    expect(await renewed('defaulting')).toMatchObject({
      outcome: 'REJECT',
      reasons: expect.arrayContaining(['DEFAULT_WITHIN_12_MONTHS']),
      inputs: { defaults_12m: 1, default_amount_12m: 500 },
    });
  });
});
