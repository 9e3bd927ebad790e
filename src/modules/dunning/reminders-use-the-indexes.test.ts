/** What PostgreSQL reads for the next look and its mailings, at a size where it matters: 40,000 invoices of 2,000 buyers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { indexesOf, plansOf, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { mailingChecks } from './check-mailings.ts';
import { listInvoicesOfLook, lookAgain } from './dunning-look.queries.ts';
import { listLastMailings } from './dunning-mailing.queries.ts';
import { reminders } from './look-at-invoices.ts';

const AT = 40_200;
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

const LARGE = ['invoices', 'dunning_mailings'];
const largeReadWhole = (plans: Parameters<typeof tablesReadWhole>[0]) =>
  tablesReadWhole(plans).filter((table) => LARGE.includes(table ?? ''));

describe('a plan that comes into force for a buyer', () => {
  it('reads the invoices of the buyer alone', async () => {
    const scope = { scope: 'BUYER', externalId: 'buyer-7' } as const;
    const again = await plansOf(world, (db) => lookAgain(db, world.platform.platform_id, scope, AT));
    expect(largeReadWhole(again)).toEqual([]);
    expect(indexesOf(again)).toContain('invoices_by_buyer');
  });
});

describe('the look for what is next', () => {
  it.each([
    ['reminders', reminders, 'invoices_dunning'],
    ['mailings to check', mailingChecks, 'dunning_mailings_to_check'],
  ] as const)('of %s reads a range of an index', async (_, source, index) => {
    const platforms = await plansOf(world, (db) => source.findPlatforms(db, AT));
    expect(largeReadWhole(platforms)).toEqual([]);
    expect(indexesOf(platforms)).toContain(index);
    const next = await plansOf(world, (db) => source.findNext(db, world.platform.platform_id, AT, 200, []));
    expect(indexesOf(next)).toEqual([index]);
  });

  it('reads the invoices and the mailings of the buyers alone', async () => {
    const ids = Array.from({ length: 16 }, (_, nth) => `invoice-${nth * 2 + 2}`);
    const owed = await plansOf(world, (db) =>
      listInvoicesOfLook(db, world.platform.platform_id, ids, { until: AT, dueBy: '2025-11-20' }),
    );
    expect(largeReadWhole(owed)).toEqual([]);
    expect(indexesOf(owed)).toContain('invoices_by_buyer');
    const buyers = ids.map((_, nth) => `buyer-${nth}`);
    const mailings = await plansOf(world, (db) => listLastMailings(db, world.platform.platform_id, buyers));
    expect(largeReadWhole(mailings)).toEqual([]);
  });
});
