/** The pages that PostgreSQL reads for the next look and its mailings, at a realistic size: 40,000 invoices of 2,000 buyers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { findDue, makeDue } from '#test/due';
import { indexesOf, plansOf, readBy, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { mailingChecks } from './check-mailings.ts';
import { listInvoicesOfLook } from './dunning-look.queries.ts';
import { listLastMailings } from './dunning-mailing.queries.ts';
import { lookAgain, makeRescan, type RescanRow } from './dunning-rescan.queries.ts';
import { listInvoicesOfLetter, listPrintedLetters, listWaitingLetters } from './letter.queries.ts';
import { reminders } from './look-at-invoices.ts';
import { rescans } from './rescan-invoices.ts';

const AT = 40_200;
/** Enough to find a buyer's rows in an index, and a few pages of the table. */
const BUFFERS_OF_BUYER_MAX = 12;
let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const { platform_id: platformId } = world.platform;
  await world.post('/v1/merchants', merchantBody({ external_id: 'merchant' }));
  await world.sql(
    `insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
      business_address)
    select $1, 'buyer-' || n, 1, 1, 'Café', 'OTHER', '[]', '{}' from generate_series(0, 1999) n`,
    [platformId],
  );
  await world.sql(
    `insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, dunning_at, payment_method, payment_reference, currency,
      amount_net, amount_gross, amount_tax, line_items)
    select $1, 'invoice-' || n, 'DUE', 'buyer-' || n % 2000, 'merchant', n, n, n, n, '2025-01-01', n, null,
      case when n % 2 = 0 then 40000 + n end, 'TRANSFER', 'RF' || n, 'EUR', n, n, 0, '[]'
    from generate_series(1, 40000) n`,
    [platformId],
  );
  await world.sql(
    `insert into reminded_parties (platform_id, merchant_external_id, buyer_external_id)
    select $1, '', 'buyer-' || n from generate_series(0, 1999, 2) n`,
    [platformId],
  );
  await world.sql(
    `insert into dunning_mailings (platform_id, mailing_id, buyer_external_id, creditor, mailed_on, kind, tone,
      compositions, check_at, created_at)
    select $1, 'mailing-' || n, 'buyer-' || n % 2000, 'merchant', to_char(date '2025-01-01' + n / 2000, 'YYYY-MM-DD'),
      'REMINDER', 'FIRM', 1, case when n % 200 = 0 then 40000 + n end, n
    from generate_series(1, 40000) n`,
    [platformId],
  );
  await world.sql('vacuum analyze invoices, dunning_mailings, reminded_parties, buyers, platforms');
});
afterAll(() => world.close());

const LARGE = ['invoices', 'invoice_dunnings', 'dunning_mailings'];
const largeReadWhole = (plans: Parameters<typeof tablesReadWhole>[0]) =>
  tablesReadWhole(plans).filter((table) => LARGE.includes(table ?? ''));

describe('a batch of a rescan', () => {
  it.each([
    ['BUYER', 'buyer-7', 'invoices_by_buyer'],
    ['MERCHANT', 'merchant', 'invoices_by_merchant'],
    ['PLATFORM', '', 'invoices_by_created_at'],
  ] as const)('of a %s reads a range of an index', async (scope, externalId, index) => {
    const batch: RescanRow = {
      ...{ platform_id: world.platform.platform_id, rescan_id: 'batch', due_at: AT, status: 'DUE' },
      ...{ scope, scope_external_id: externalId, last_created_at: 30_007, last_external_id: 'invoice-30007' },
    };
    const plans = await plansOf(world, (db) => makeRescan(db, batch));
    expect(largeReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain(index);
  });
});

describe('the look for what is next', () => {
  it.each([
    ['reminders', reminders, 'invoices_dunning_due', 'invoices_dunning'],
    ['mailings to check', mailingChecks, 'dunning_mailings_due', 'dunning_mailings_to_check'],
  ] as const)('of %s reads a range of an index', async (_, source, ofAll, ofOne) => {
    const platforms = await plansOf(world, (db) => source.findPlatforms(db, AT));
    expect(largeReadWhole(platforms)).toEqual([]);
    expect(indexesOf(platforms)).toContain(ofAll);
    const next = await plansOf(world, (db) => source.findNext(db, world.platform.platform_id, AT, 200, []));
    // With a single platform, both indexes contain the same.
    expect(largeReadWhole(next)).toEqual([]);
    expect([ofOne, ofAll]).toEqual(expect.arrayContaining(indexesOf(next)));
  });

  // On a cluster, the nodes make the plans.
  it.skipIf(isOnCluster())('reads the invoices and the mailings of the buyers alone', async () => {
    const ids = Array.from({ length: 16 }, (_, nth) => `invoice-${nth * 2 + 2}`);
    const owed = await plansOf(world, (db) =>
      listInvoicesOfLook(db, world.platform.platform_id, ids, { until: AT, dueBy: '2025-11-20' }),
    );
    expect(largeReadWhole(owed)).toEqual([]);
    expect(indexesOf(owed)).toContain('invoices_by_buyer');
    // The index scan skips the other invoices that they owe.
    const { buffers } = await readBy(world, (db) =>
      listInvoicesOfLook(db, world.platform.platform_id, ids, { until: AT, dueBy: '2024-11-20' }),
    );
    expect(buffers).toBeLessThan(ids.length * BUFFERS_OF_BUYER_MAX);
    const buyers = ids.map((_, nth) => `buyer-${nth}`);
    const mailings = await plansOf(world, (db) => listLastMailings(db, world.platform.platform_id, buyers));
    expect(largeReadWhole(mailings)).toEqual([]);
  });
});

describe('a rescan of the platform', () => {
  const notLookedAt = async () => {
    const rows = await world.sql('select from invoices where dunning_at is null');
    return rows.length;
  };

  it('reaches each of 40,000 invoices in batches, also where another one begins meanwhile', async () => {
    const { platform, installation } = world;
    expect(await notLookedAt()).toBe(20_000);
    await world.sql(
      `insert into reminded_parties (platform_id, merchant_external_id, buyer_external_id) values ($1, '', '')`,
      [platform.platform_id],
    );
    const rescan = () =>
      lookAgain(installation.db, platform.platform_id, { scope: 'PLATFORM', externalId: '' }, AT);
    await rescan();
    const [first] = await findDue(world, rescans, AT);
    if (!first) throw new Error('Nothing is to be read.');
    await rescans.make(installation.db, platform.platform_id, [first], {});
    await rescans.make(installation.db, platform.platform_id, [first], {});
    const [second] = await findDue(world, rescans, AT);
    await rescans.make(installation.db, platform.platform_id, second ? [second] : [], {});
    expect(await notLookedAt()).toBe(20_000 - 500);
    await rescan();
    expect(await makeDue(world, [rescans], AT, {})).toEqual([]);
    expect(await findDue(world, rescans, AT)).toEqual([]);
    expect(await notLookedAt()).toBe(0);
  });
});

describe('the lists of letters', () => {
  beforeAll(async () => {
    const { platform_id: platformId } = world.platform;
    await world.sql(
      `insert into invoice_dunnings (platform_id, external_id, invoice_external_id, status, version, updated_at, installment,
        paused_by)
      select $1, 'dunning-' || n, 'invoice-' || n, case when n % 1000 = 0 then 'PAUSED' else 'RUNNING' end, 1, n, 1,
        case when n % 1000 = 0 then 'LETTER' end
      from generate_series(1, 40000) n`,
      [platformId],
    );
    await world.sql(
      `insert into dunning_mailings (platform_id, mailing_id, buyer_external_id, creditor, mailed_on, kind, tone,
        compositions, created_at, channel, printed_by)
      select $1, 'letter-' || n, 'buyer-' || n, '', '2025-01-01', 'REMINDER', 'FIRM', 1, n, 'LETTER', 'operator:fin'
      from generate_series(1, 50) n`,
      [platformId],
    );
    await world.sql('vacuum analyze invoice_dunnings, dunning_mailings');
  });

  it('read what waits, what was printed, and the invoices of one buyer', async () => {
    const { platform_id: platformId } = world.platform;
    const all = { buyerExternalId: null, limit: 200 };
    const waiting = await plansOf(world, (db) => listWaitingLetters(db, platformId, all));
    expect(largeReadWhole(waiting)).toEqual([]);
    expect(indexesOf(waiting)).toContain('invoice_dunnings_by_pause');
    const printed = await plansOf(world, (db) => listPrintedLetters(db, platformId, all));
    expect(indexesOf(printed)).toEqual(['dunning_mailings_printed']);
    const parties = { buyerExternalId: 'buyer-0', creditor: 'merchant', dueBy: '2025-11-20' };
    const ofOne = await plansOf(world, (db) => listInvoicesOfLetter(db, platformId, parties));
    expect(largeReadWhole(ofOne)).toEqual([]);
    expect(indexesOf(ofOne)).toContain('invoices_by_buyer');
  });
});
