/** Renewals that cross other decisions, and each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { postEntry, renewFacility } from '#modules/facilities';
import { addFacility, decide, facilityOf, ledgerOf, ORDINARY_LIMIT, onFacility } from '#test/facilities';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { contextOf } from '../../../cli/operation-context.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const renew = (buyer: string) => world.post(`/v1/buyers/${buyer}/facility/renew`);

/** Lets an invoice use credit in between. */
const use = (buyer: string, amount: number) =>
  onFacility(world, buyer, ({ db }, { platform_id: platformId, buyer_external_id: buyerExternalId }) =>
    postEntry(db, {
      platformId,
      buyerExternalId,
      cause: 'INVOICE_FINANCED',
      usedChange: amount,
      tolerancePercent: 0,
      actor: 'test',
      at: NOW,
    }),
  );

describe('POST /v1/buyers/{external_id}/facility/renew', () => {
  describe('409', () => {
    it('PENDING_RENEWAL to what was assessed before another decision was made, whatever that was', async () => {
      const here = world.installation;
      for (const [buyer, overtake] of [
        ['overtaken', () => renew('overtaken')],
        ['increased', () => decide(world, 'increased', 'INCREASE', 'ACCEPT', ORDINARY_LIMIT + 1)],
        ['declined', () => decide(world, 'declined', 'RENEWAL', 'REJECT')],
      ] as const) {
        await addFacility(world, buyer);
        const { platform } = world;
        const context = contextOf(here, { platform, actor: 'test', now: NOW });
        const input = { params: { external_id: buyer }, query: {}, body: undefined };
        const prepared = await renewFacility.prepare?.(context, input);
        await overtake();
        const before = await ledgerOf(world, buyer);
        const late = inTransaction(here.db, (db) =>
          renewFacility.run({ ...context, db }, input, prepared as never),
        );
        await expect(late).rejects.toMatchObject({ reason: 'PENDING_RENEWAL' });
        expect(await ledgerOf(world, buyer)).toEqual(before);
      }
    });

    it('never to what was assessed before an order was placed: that decides nothing', async () => {
      await addFacility(world, 'ordering');
      const { platform } = world;
      const context = contextOf(world.installation, { platform, actor: 'test', now: NOW });
      const input = { params: { external_id: 'ordering' }, query: {}, body: undefined };
      const prepared = await renewFacility.prepare?.(context, input);
      await use('ordering', 1_000);
      await inTransaction(world.installation.db, (db) =>
        renewFacility.run({ ...context, db }, input, prepared as never),
      );
      expect(await facilityOf(world, 'ordering')).toMatchObject({
        used_amount: 1_000,
        available_amount: ORDINARY_LIMIT - 1_000,
      });
    });

    it('PENDING_RENEWAL to all requests during the decision of another: 20 at once', async () => {
      await addFacility(world, 'hurried');
      const replies = await Promise.all(Array.from({ length: 20 }, () => renew('hurried')));
      const accepted = replies.filter(({ status }) => status === 202).length;
      expect(accepted).toBeGreaterThan(0);
      for (const { status, body } of replies)
        if (status !== 202) expect([status, body.reason]).toEqual([409, 'PENDING_RENEWAL']);
      // Each accepted one has its entry, transition, decision and event.
      const entries = await ledgerOf(world, 'hurried');
      expect(entries).toHaveLength(1 + accepted);
      const sequences = (await recordedEvents(world, 'hurried')).slice(1).map(({ data }) => data.sequence);
      expect(sequences).toEqual(Array.from({ length: 1 + accepted }, (_, index) => index + 1));
      const [{ decisions } = {}] = await world.sql(
        "select count(*)::int as decisions from credit_decisions where buyer_external_id = 'hurried'",
      );
      expect(decisions).toBe(1 + accepted);
    });

    it('PENDING_RENEWAL to 19 of 20 at once, if a person must decide', async () => {
      await addFacility(world, 'hurried-in-review');
      await decide(world, 'hurried-in-review', 'CREATION', 'ACCEPT');
      const replies = await Promise.all(Array.from({ length: 20 }, () => renew('hurried-in-review')));
      expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array(19).fill(409)]);
      const [{ reviews } = {}] = await world.sql(
        `select count(*)::int as reviews from credit_reviews
        where buyer_external_id = 'hurried-in-review' and subject = 'FACILITY_RENEWAL'`,
      );
      expect(reviews).toBe(1);
    });
  });
});
