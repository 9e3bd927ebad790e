import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer } from '#test/facilities';
import { createWorld, type World } from '#test/world';
import {
  deleteCreditSettings,
  findCreditSettings,
  findStandings,
  putCreditSettings,
} from './credit-settings.queries.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  for (const buyer of ['one', 'two', 'three']) await addBuyer(world, buyer);
});
afterAll(() => world.close());

const put = (buyer: string, more: object, platformId = world.platform.platform_id) =>
  putCreditSettings(world.installation.db, {
    platform_id: platformId,
    buyer_external_id: buyer,
    set_at: NOW,
    set_by: 'operator:ada',
    ...more,
  });
const key = (buyer: string) => ({ platformId: world.platform.platform_id, buyerExternalId: buyer });

describe('credit settings', () => {
  it('are set one by one: what is not given stays', async () => {
    const { db } = world.installation;
    await put('one', { tolerance_percent: 5, overdue_grace_days: 3, expires_at: NOW + 10 });
    await put('one', { tolerance_percent: 9, expires_at: NOW + 20 });
    expect(await findCreditSettings(db, key('one'))).toMatchObject({
      tolerance_percent: 9,
      overdue_grace_days: 3,
      expires_at: NOW + 20,
    });
  });

  it.each([-1, 26])('have no tolerance of %i percent, whoever writes them', async (tolerance_percent) => {
    await expect(put('one', { tolerance_percent })).rejects.toThrow('tolerance_percent_check');
  });

  it('that are over can be removed without those that hold', async () => {
    const { db } = world.installation;
    await put('two', { tolerance_percent: 5, expires_at: NOW });
    expect(await deleteCreditSettings(db, key('two'), NOW - 1)).toBe(false);
    expect(await deleteCreditSettings(db, key('two'), NOW)).toBe(true);
    expect(await deleteCreditSettings(db, key('two'))).toBe(false);
  });

  it('are found with the standing of each buyer, for its own platform only', async () => {
    const { db } = world.installation;
    const { platform: other } = await world.addPlatform();
    await put('', { tolerance_percent: 1 });
    await put('', { tolerance_percent: 22 }, other.platform_id);
    await put('three', { overdue_stop_days: 60, expires_at: NOW + 1 });
    const standings = await findStandings(db, [
      { ...key('three'), at: NOW },
      { ...key('two'), at: NOW },
      { ...key('three'), at: NOW + 1 },
      { platformId: other.platform_id, buyerExternalId: 'three', at: NOW },
    ]);
    expect(
      standings.map(({ limitPolicy }) => [limitPolicy.tolerancePercent, limitPolicy.overdueStopDays]),
    ).toEqual([
      [1, 60],
      [1, 30],
      [1, 30],
      [22, 30],
    ]);
    expect(standings.map(({ facility, overdue }) => [facility, overdue])).toEqual(Array(4).fill([null, []]));
  });
});
