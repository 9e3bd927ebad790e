/** Who can write an entry of the ledger, and who cannot. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFacility, facilityOf, ledgerEntry, ORDINARY_LIMIT, reservingEntry } from '#test/facilities';
import { createWorld, type World } from '#test/world';
import { facilityExpiries } from './due-facilities.ts';
import { type NewEntry, postEntries, postEntriesInTurn } from './facility-ledger.queries.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const entry = (buyer: string, more: Partial<NewEntry>) => ledgerEntry(world, buyer, { at: NOW, ...more });
const reserve = (buyer: string, amount: number, more: Partial<NewEntry> = {}) =>
  reservingEntry(world, buyer, amount, { at: NOW, ...more });

describe('an entry', () => {
  it('is refused beyond the limit and not written; the facility is returned unchanged', async () => {
    await addFacility(world, 'limited', { requested_amount: 1_000 });
    const { db } = world.installation;
    const [fits] = await postEntries(db, [reserve('limited', 1_000)]);
    expect(fits).toMatchObject({ isPosted: true, facility: { available_amount: 0, version: 2 } });
    const [beyond] = await postEntries(db, [reserve('limited', 1)]);
    expect(beyond).toMatchObject({ isPosted: false, facility: { available_amount: 0, version: 2 } });
    const [tolerated] = await postEntries(db, [reserve('limited', 50, { tolerancePercent: 5 })]);
    expect(tolerated).toMatchObject({
      isPosted: true,
      facility: { pending_orders_amount: 1_050, available_amount: 0 },
    });
    const [nobody] = await postEntries(db, [reserve('nobody', 1)]);
    expect(nobody).toBeUndefined();
  });

  it.each([
    ['at the end of the period', NOW + 90 * 86_400, false],
    ['a second before', NOW + 90 * 86_400 - 1, true],
  ])('that authorizes %s is %s', async (what, at, isPosted) => {
    const buyer = `period-${isPosted}`;
    await addFacility(world, buyer);
    const [posted] = await postEntries(world.installation.db, [reserve(buyer, 1, { at })]);
    expect([what, posted?.isPosted]).toEqual([what, isPosted]);
  });

  it.each(['PENDING', 'REJECTED', 'FROZEN', 'EXPIRED'])(
    'authorizes nothing on a facility that is %s, but can release',
    async (status) => {
      const buyer = `status-${status}`;
      const { db } = world.installation;
      await addFacility(world, buyer);
      await postEntries(db, [reserve(buyer, 500)]);
      if (status === 'EXPIRED') {
        await world.sql(`update facilities set expires_at = ${NOW} where buyer_external_id = '${buyer}'`);
        const due = { dueAt: NOW, resource: 'facility', externalId: buyer, trigger: 'expire' } as const;
        await facilityExpiries.make(db, world.platform.platform_id, [due], undefined);
      } else
        await world.sql(
          `update facilities set status = '${status}', frozen_at = ${status === 'FROZEN' ? NOW : null}
          where buyer_external_id = '${buyer}'`,
        );
      expect((await postEntries(db, [reserve(buyer, 1)]))[0]?.isPosted).toBe(false);
      const [released] = await postEntries(db, [
        entry(buyer, { cause: 'ORDER_FREED', pendingOrdersChange: -500 }),
      ]);
      const left = status === 'EXPIRED' ? 0 : ORDINARY_LIMIT;
      expect(released).toMatchObject({
        isPosted: true,
        facility: { pending_orders_amount: 0, available_amount: left },
      });
    },
  );

  it('several of one facility are posted one after the other, and several facilities in one statement', async () => {
    for (const buyer of ['turn-a', 'turn-b']) await addFacility(world, buyer, { requested_amount: 100 });
    const posted = await postEntriesInTurn(world.installation.db, [
      reserve('turn-b', 60),
      reserve('turn-a', 100),
      reserve('turn-b', 60),
      reserve('turn-b', 40),
      reserve('nobody', 1),
    ]);
    expect(posted.map((each) => each?.isPosted)).toEqual([true, true, false, true, undefined]);
    expect(posted.map((each) => each?.facility.available_amount)).toEqual([40, 0, 40, 0, undefined]);
  });

  it('never goes back in time, whatever instant it is written with', async () => {
    await addFacility(world, 'steady');
    await postEntries(world.installation.db, [reserve('steady', 1, { at: NOW + 100 })]);
    await postEntries(world.installation.db, [reserve('steady', 1, { at: NOW + 50 })]);
    const { body } = await world.get('/v1/buyers/steady/facility/ledger');
    expect(body.items.map((item: { effective_at: number }) => item.effective_at)).toEqual([
      NOW + 100,
      NOW + 100,
      NOW,
    ]);
  });
});

describe('the database refuses', () => {
  const forge = (statement: string) =>
    world.sql(`begin; ${statement}; commit`).finally(() => world.sql('rollback'));
  const values = (more: Record<string, number | string>) => {
    const row = {
      platform_id: 1,
      buyer_external_id: "'forged'",
      entry: 2,
      effective_at: NOW,
      cause: "'LIMIT_CHANGED'",
      total_change: 0,
      used_change: 0,
      pending_orders_change: 0,
      total_amount: 1_000,
      used_amount: 0,
      pending_orders_amount: 0,
      available_amount: 1_000,
      available_change: 0,
      actor: "'forger'",
      ...more,
    };
    return `insert into facility_ledger (${Object.keys(row).join()}) values (${Object.values(row).join()})`;
  };

  beforeAll(() => addFacility(world, 'forged', { requested_amount: 1_000 }));

  it.each([
    [
      'a limit without an entry',
      "update facilities set total_amount = 2000, available_amount = 2000 where buyer_external_id = 'forged'",
      /is not what its ledger says/,
    ],
    [
      'an available amount without an entry',
      "update facilities set available_amount = 999 where buyer_external_id = 'forged'",
      /is not what its ledger says/,
    ],
    [
      'an entry without the facility',
      values({ total_change: 1, total_amount: 1_001, available_change: 1, available_amount: 1_001 }),
      // Checked at the commit, where a cluster reports no more detail.
      /is not what its ledger says|could not commit transaction for shard/,
    ],
    [
      'an entry that does not go on from the one before',
      values({ total_amount: 5_000, available_amount: 5_000 }),
      /does not continue/,
    ],
    ['an entry that leaves one out', values({ entry: 3 }), /has none before it/],
    ['an entry of a number that is there', values({ entry: 1 }), /duplicate key/],
    [
      'an authorization without a ceiling',
      values({ used_change: 1, used_amount: 1, available_change: -1, available_amount: 999 }),
      /check constraint/,
    ],
    [
      'an authorization beyond its ceiling',
      values({
        used_change: 2_000,
        used_amount: 2_000,
        available_change: -1_000,
        available_amount: 0,
        ceiling_amount: 1_500,
      }),
      /check constraint/,
    ],
    [
      'a status that leaves something available',
      "update facilities set status = 'EXPIRED' where buyer_external_id = 'forged'",
      /is not what its ledger says/,
    ],
    [
      'a new facility with a limit of its own',
      `insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, total_amount, available_amount)
      select platform_id, external_id, 'ACTIVE', 1, 1, 'EUR', 1, 1 from buyers where external_id = 'poor'`,
      /is not what its ledger says/,
    ],
  ])('%s, even by the owner of the schema', async (what, statement, message) => {
    if (what.startsWith('a new facility'))
      await world.post('/v1/buyers', {
        external_id: 'poor',
        legal_name: 'Poor',
        legal_form: 'OTHER',
        business_address: { postcode: '53111', city: 'B', country: 'DE' },
      });
    const before = await facilityOf(world, 'forged');
    await expect(forge(statement)).rejects.toThrow(message);
    expect(await facilityOf(world, 'forged')).toEqual(before);
  });

  it('to change or delete an entry, or to delete a facility, to the service', async () => {
    const { db } = world.installation;
    for (const attempt of [
      () => db.updateTable('facility_ledger').set({ actor: 'nobody' }).execute(),
      () => db.deleteFrom('facility_ledger').execute(),
      () => db.deleteFrom('facilities').execute(),
      () => db.updateTable('facility_transitions').set({ actor: 'nobody' }).execute(),
    ])
      await expect(attempt()).rejects.toThrow(/permission denied/);
  });
});
