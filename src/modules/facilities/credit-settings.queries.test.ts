import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer } from '#test/facilities';
import { indexesOf, plansOf, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import {
  findCreditSettings,
  findStandings,
  insertCreditSettings,
  listCreditSettings,
} from './credit-settings.queries.ts';
import { type LimitPolicySettings, NO_SETTINGS } from './limit-policy.rules.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  for (const buyer of ['one', 'two', 'three']) await addBuyer(world, buyer);
});
afterAll(() => world.close());

const key = (buyerExternalId: string, { platform_id } = world.platform) => ({
  platformId: platform_id,
  buyerExternalId,
});
const insert = (
  of: ReturnType<typeof key>,
  settings: Partial<LimitPolicySettings>,
  made: { at?: number; approvedBy?: string } = {},
) =>
  insertCreditSettings(
    world.installation.db,
    of,
    { ...NO_SETTINGS, ...settings },
    {
      ...{ at: NOW, actor: 'operator:ada', approvedBy: null, reason: 'Why' },
      ...made,
    },
  );

describe('credit settings', () => {
  it('are kept in versions, each with all settings, who set them and why', async () => {
    const { db } = world.installation;
    await insert(key('one'), { tolerance_percent: 5, expires_at: NOW + 10 });
    await insert(key('one'), { overdue_grace_days: 3 }, { at: NOW + 5, approvedBy: 'operator:ben' });
    await insert(key('one'), {}, { at: NOW + 8 });
    expect(await listCreditSettings(db, key('one'))).toMatchObject([
      { version: 1, valid_from: NOW, tolerance_percent: 5, expires_at: NOW + 10, approved_by: null },
      { version: 2, valid_from: NOW + 5, tolerance_percent: null, approved_by: 'operator:ben' },
      { version: 3, valid_from: NOW + 8, overdue_grace_days: null, set_by: 'operator:ada', reason: 'Why' },
    ]);
  });

  it.each([
    [NOW - 1, undefined],
    [NOW, 1],
    [NOW + 4, 1],
    [NOW + 5, 2],
    [NOW + 7, 2],
    [NOW + 1_000_000, 3],
    [undefined, 3],
  ])('as of %s are those of version %s', async (at, version) => {
    const found = await findCreditSettings(world.installation.db, key('one'), at);
    expect(found?.version).toBe(version);
  });

  it('are never valid before the version that they replace, whatever a clock says', async () => {
    const { db } = world.installation;
    await insert(key('two'), { tolerance_percent: 1 });
    await insert(key('two'), { tolerance_percent: 2 }, { at: NOW - 60 });
    expect(await findCreditSettings(db, key('two'), NOW - 1)).toBeUndefined();
    expect(await findCreditSettings(db, key('two'), NOW)).toMatchObject({ version: 2, valid_from: NOW });
  });

  it.each([-1, 26])('have no tolerance of %i percent, whoever writes them', async (tolerance_percent) => {
    await expect(insert(key('one'), { tolerance_percent })).rejects.toThrow('tolerance_percent_check');
  });

  it('are not approved by who set them', async () => {
    await expect(insert(key('one'), {}, { approvedBy: 'operator:ada' })).rejects.toThrow('check');
  });

  it.each([
    'update credit_settings_versions set tolerance_percent = 1',
    'delete from credit_settings_versions',
  ])('cannot be changed by the service: %s', async (statement) => {
    const { db } = world.installation;
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('permission denied');
  });

  it('are found with the standing of each buyer, as of its instant, for its own platform only', async () => {
    const { db } = world.installation;
    const { platform: other } = await world.addPlatform();
    await insert(key(''), { tolerance_percent: 1 }, { at: NOW - 10 });
    await insert(key(''), { tolerance_percent: 2 });
    await insert(key('', other), { tolerance_percent: 22 });
    await insert(key('three'), { overdue_stop_days: 60, expires_at: NOW + 1 });
    const ofFirst = await findStandings(db, [
      { ...key('three'), at: NOW },
      { ...key('nobody'), at: NOW },
      { ...key('three'), at: NOW + 1 },
      { ...key('three'), at: NOW - 1 },
      { ...key('three'), at: NOW - 11 },
    ]);
    const standings = [...ofFirst, ...(await findStandings(db, [{ ...key('three', other), at: NOW }]))];
    expect(
      standings.map(({ limitPolicy }) => [limitPolicy.tolerancePercent, limitPolicy.overdueStopDays]),
    ).toEqual([
      [2, 60],
      [2, 30],
      [2, 30],
      [1, 30],
      [0, 30],
      [22, 30],
    ]);
    expect(standings.map(({ facility, overdue }) => [facility, overdue])).toEqual(Array(6).fill([null, []]));
  });

  it('are read by two look-ups in the key, however many versions there are', async () => {
    await world.sql(
      `insert into credit_settings_versions (platform_id, buyer_external_id, version, valid_from, set_by)
      select $1, case n % 2 when 0 then '' else 'buyer-' || n % 1000 end, 10 + n, n, 'test'
      from generate_series(1, 20000) n`,
      [world.platform.platform_id],
    );
    await world.sql('analyze credit_settings_versions');
    const plans = await plansOf(world, (db) => findStandings(db, [{ ...key('one'), at: NOW }]));
    expect(plans).toHaveLength(1);
    expect(tablesReadWhole(plans)).not.toContain('credit_settings_versions');
    expect(indexesOf(plans)).toContain('credit_settings_versions_pkey');
  });
});
