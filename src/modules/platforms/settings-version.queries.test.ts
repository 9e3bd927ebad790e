import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { createWorld, type World } from '#test/world';
import { changePlatform, type PlatformUpdate } from './change-platform.ts';
import { findPlatformSettings, listPlatformSettings } from './settings-version.queries.ts';
import { loggedSettings, openSettings } from './settings-version.rules.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const vault = () =>
  world.installation.vault.forPlatform(world.platform.code, world.platform.data_key_wrapped);
const change = (update: PlatformUpdate, at: number) =>
  inTransaction(world.installation.db, (db) =>
    changePlatform({ db, vault: vault() }, world.platform, update, {
      ...{ at, actor: 'operator:ada', approvedBy: 'operator:ben', reason: 'Why' },
    }),
  );
const id = () => world.platform.platform_id;

const NOT_IN_THE_API: ReadonlySet<string> = new Set([
  ...['checkout_origins', 'sends_checkout_invitations', 'sends_monthly_statements', 'enrolls_merchants'],
  ...['brand_color', 'privacy_url', 'imprint_url', 'terms_url', 'account_holder', 'iban_sealed', 'bic'],
  ...['account_town', 'account_country', 'mails_off', 'review_days'],
]);

describe('the settings of a platform', () => {
  it('are recorded in versions: all of them, who set them and why', async () => {
    const { db } = world.installation;
    const created = await findPlatformSettings(db, id(), Number.MAX_SAFE_INTEGER);
    expect(created).toMatchObject({ version: 1, set_by: 'installation', approved_by: null, reason: null });
    const begin = created?.valid_from as number;
    await change({ max_payment_term: 60, support_emails: ['a@x.example'] }, begin + 100);
    await change({ communication_email: 'c@x.example' }, begin + 50);
    const versions = await listPlatformSettings(db, id());
    expect(versions.map(({ version, valid_from, reason }) => [version, valid_from - begin, reason])).toEqual([
      [1, 0, null],
      [2, 100, 'Why'],
      // Not valid before the version that it replaces.
      [3, 100, 'Why'],
    ]);
    expect(versions.map((version) => openSettings(vault(), version))).toMatchObject([
      { max_payment_term: 120, support_emails: [], communication_email: null },
      { max_payment_term: 60, support_emails: ['a@x.example'], communication_email: null },
      { max_payment_term: 60, support_emails: ['a@x.example'], communication_email: 'c@x.example' },
    ]);
    expect((await findPlatformSettings(db, id(), begin + 99))?.version).toBe(1);
    expect((await findPlatformSettings(db, id(), begin + 100))?.version).toBe(3);
    expect(await findPlatformSettings(db, id(), begin - 1)).toBeUndefined();
  });

  it('are as the API shows them', async () => {
    const { body } = await world.get('/v1/platform');
    const [last] = (await listPlatformSettings(world.installation.db, id())).slice(-1);
    const settings = openSettings(vault(), last as NonNullable<typeof last>);
    const shown = Object.entries(settings).filter(([name]) => !NOT_IN_THE_API.has(name));
    expect(body).toMatchObject(Object.fromEntries(shown));
  });

  it('have no address in the clear at rest', async () => {
    const stored = await world.sql<{ row: string }>(
      "select to_json(v)::text || encode(addresses_sealed, 'escape') as row from platform_settings_versions v",
    );
    expect(stored.length).toBeGreaterThanOrEqual(3);
    for (const { row } of stored) expect(row).not.toContain('x.example');
  });

  it.each(['update platform_settings_versions set set_by = null', 'delete from platform_settings_versions'])(
    'cannot be changed by the service: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(world.installation.db)).rejects.toThrow('permission denied');
    },
  );
});

it('a log shows of an address only what its owner recognizes', () => {
  const values = { name: 'a@b.example', support_emails: ['ada@x.example'], communication_email: null };
  expect(loggedSettings({ ...values, max_payment_term: NOW })).toEqual({
    ...{ name: 'a@b.example', support_emails: ['a•••@x•••.example'] },
    ...{ communication_email: null, max_payment_term: NOW },
  });
});
