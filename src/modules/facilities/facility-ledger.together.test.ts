/** Many concurrent writers of a ledger: what they can never do together. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addFacility,
  facilityOf,
  ledgerEntry,
  reservingEntry,
  unexplainedFacilities,
} from '#test/facilities';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';
import { roomOf } from './credit.rules.ts';
import { findFacility } from './facility.queries.ts';
import { type NewEntry, postEntries } from './facility-ledger.queries.ts';

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

describe('many at once', () => {
  /** One writer, in a loop: reserve, use, release. */
  it('never take more than the limit together, and the ledger explains every cent', {
    timeout: patience(60),
  }, async () => {
    const LIMIT = 10_000;
    const buyers = ['crowd-0', 'crowd-1', 'crowd-2'];
    for (const buyer of buyers) await addFacility(world, buyer, { requested_amount: LIMIT });
    const { db } = world.installation;
    const seed = fc.sample(fc.integer(), 1)[0] ?? 0;
    const random = (nth: number) => {
      let state = (seed ^ (nth * 2_654_435_761)) >>> 0;
      return (below: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state % below;
      };
    };
    const taken = new Map(buyers.map((buyer) => [buyer, 0]));
    let isOver = false;
    const overdrawn: unknown[] = [];
    const watch = async () => {
      while (!isOver)
        overdrawn.push(
          ...(await world.sql(
            "select * from facilities where buyer_external_id like 'crowd-%' and used_amount + pending_orders_amount > total_amount",
          )),
        );
    };
    const write = async (nth: number) => {
      const below = random(nth);
      for (let step = 0; step < 40; step++) {
        // Two facilities in one statement, in any order: no deadlock.
        const pair = [buyers[below(3)], buyers[below(3)]].filter(
          (buyer, index, all) => buyer !== undefined && all.indexOf(buyer) === index,
        ) as string[];
        const amounts = pair.map(() => 1 + below(3_000));
        const posted = await postEntries(
          db,
          pair.map((buyer, index) => reserve(buyer, amounts[index] as number)),
        );
        for (const [index, buyer] of pair.entries()) {
          const amount = amounts[index] as number;
          if (!posted[index]?.isPosted) continue;
          taken.set(buyer, (taken.get(buyer) ?? 0) + amount);
          const isUsed = below(2) === 0;
          if (isUsed)
            await postEntries(db, [
              entry(buyer, { cause: 'ORDER_INVOICED', usedChange: amount, pendingOrdersChange: -amount }),
            ]);
          if (below(4) === 0) continue;
          const back = isUsed ? { usedChange: -amount } : { pendingOrdersChange: -amount };
          await postEntries(db, [
            entry(buyer, { cause: isUsed ? 'INVOICE_CANCELLED' : 'ORDER_FREED', ...back }),
          ]);
          taken.set(buyer, (taken.get(buyer) ?? 0) - amount);
        }
      }
    };
    const watching = watch();
    await Promise.all(Array.from({ length: 16 }, (_, nth) => write(nth)));
    isOver = true;
    await watching;
    expect(overdrawn).toEqual([]);
    expect(await unexplainedFacilities(world)).toEqual([]);
    for (const buyer of buyers) {
      const facility = await facilityOf(world, buyer);
      expect([seed, facility.used_amount + facility.pending_orders_amount]).toEqual([seed, taken.get(buyer)]);
      expect(taken.get(buyer)).toBeLessThanOrEqual(LIMIT);
      expect(facility.available_amount).toBe(LIMIT - (taken.get(buyer) ?? 0));
    }
  });

  it('find the same room as the rule does, whatever the amounts and the tolerance', {
    timeout: patience(60),
  }, async () => {
    await addFacility(world, 'modelled', { requested_amount: 9_973 });
    const { db } = world.installation;
    const key = { platformId: world.platform.platform_id, buyerExternalId: 'modelled' };
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            kind: fc.constantFrom('reserve', 'use', 'release', 'limit'),
            amount: fc.integer({ min: 1, max: 6_000 }),
            tolerancePercent: fc.integer({ min: 0, max: 100 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (steps) => {
          for (const { kind, amount, tolerancePercent } of steps) {
            const before = await findFacility(db, key);
            if (!before) throw new Error('The facility is gone.');
            const isAuthorizing = kind === 'reserve' || kind === 'use';
            const room = roomOf(before, tolerancePercent);
            const pending = before.pending_orders_amount;
            const change = {
              reserve: { pendingOrdersChange: amount, tolerancePercent },
              use: { usedChange: amount, tolerancePercent },
              release: { usedChange: -before.used_amount, pendingOrdersChange: -Math.min(pending, amount) },
              limit: { totalChange: amount - before.total_amount },
            }[kind];
            const [posted] = await postEntries(db, [
              entry('modelled', { cause: 'LIMIT_CHANGED', ...change }),
            ]);
            expect(posted?.isPosted).toBe(!isAuthorizing || amount <= room);
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(await unexplainedFacilities(world)).toEqual([]);
  });
});
