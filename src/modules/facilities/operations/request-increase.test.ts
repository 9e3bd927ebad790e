import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addFacility,
  decide,
  facilityOf,
  ledgerOf,
  makeDueOfFacilities,
  ORDINARY_LIMIT,
  onFacility,
} from '#test/facilities';
import { issuesOf } from '#test/paging';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const send = (buyer: string, requested: unknown) =>
  world.post(`/v1/buyers/${buyer}/facility/increase`, { requested_amount: requested });
const lastEvent = async (buyer: string) => (await recordedEvents(world, buyer)).at(-1);

describe('POST /v1/buyers/{external_id}/facility/increase', () => {
  describe('202', () => {
    it('grants what the policy allows; the period stays', async () => {
      await addFacility(world, 'small', { requested_amount: 100_000 });
      world.clock.set(NOW + DAY);
      const { status, body } = await send('small', 400_000);
      expect({ status, body }).toEqual({ status: 202, body: { buyer_external_id: 'small' } });
      expect(await facilityOf(world, 'small')).toMatchObject({
        status: 'ACTIVE',
        total_amount: 400_000,
        available_amount: 400_000,
        reviewed_at: NOW + DAY,
        expires_at: NOW + 90 * DAY,
        pending_actions: [],
      });
      expect(await lastEvent('small')).toMatchObject({
        type: 'FACILITY.INCREASE.ACCEPTED',
        data: { sequence: 2, total_amount: 400_000, previous_total_amount: 100_000 },
      });
      expect((await ledgerOf(world, 'small')).at(-1)).toBe('LIMIT_CHANGED total +300000 available 400000');
      world.clock.set(NOW);
    });

    it('may be refused: the limit stays', async () => {
      await addFacility(world, 'full');
      expect((await send('full', ORDINARY_LIMIT + 1)).status).toBe(202);
      expect(await facilityOf(world, 'full')).toMatchObject({
        total_amount: ORDINARY_LIMIT,
        risk_band: 'B1',
      });
      const event = await lastEvent('full');
      expect(event?.type).toBe('FACILITY.INCREASE.REJECTED');
      expect(event?.data).not.toHaveProperty('previous_total_amount');
      expect(await ledgerOf(world, 'full')).toHaveLength(1);
    });

    it.each(['ACCEPT', 'REJECT'] as const)('may be left to a person: %s', async (outcome) => {
      const buyer = `${outcome.toLowerCase()}-in-review`;
      await addFacility(world, buyer);
      await decide(world, buyer, 'CREATION', 'ACCEPT', 100_000);
      expect((await send(buyer, 900_000)).status).toBe(202);
      expect(await facilityOf(world, buyer)).toMatchObject({
        total_amount: 100_000,
        pending_actions: [{ type: 'INCREASE', created_at: NOW }],
      });
      expect((await lastEvent(buyer))?.type).toBe('FACILITY.INCREASE.IN_REVIEW');
      await decide(world, buyer, 'INCREASE', outcome, 500_000);
      expect(await facilityOf(world, buyer)).toMatchObject({
        total_amount: outcome === 'ACCEPT' ? 500_000 : 100_000,
        pending_actions: [],
      });
      expect((await lastEvent(buyer))?.type).toBe(`FACILITY.INCREASE.${outcome}ED`);
    });

    it('is rejected if the granted limit is not higher, whatever the decision says', async () => {
      await addFacility(world, 'lower', { requested_amount: 100_000 });
      await decide(world, 'lower', 'INCREASE', 'ACCEPT', 90_000);
      expect(await facilityOf(world, 'lower')).toMatchObject({ total_amount: 100_000, risk_band: 'B1' });
      expect((await lastEvent('lower'))?.type).toBe('FACILITY.INCREASE.REJECTED');
    });

    it('may wait beside a renewal', async () => {
      await addFacility(world, 'both-in-review');
      await decide(world, 'both-in-review', 'CREATION', 'ACCEPT', 100_000);
      await world.post('/v1/buyers/both-in-review/facility/renew');
      await send('both-in-review', 200_000);
      const { pending_actions: pending } = await facilityOf(world, 'both-in-review');
      expect(pending.map(({ type }: { type: string }) => type).sort()).toEqual(['INCREASE', 'RENEWAL']);
    });
  });

  describe('400', () => {
    beforeAll(() => addBuyer(world, 'refuses'));

    it.each<[unknown, string]>([
      [undefined, 'REQUIRED body.requested_amount'],
      [null, 'INVALID_TYPE body.requested_amount'],
      [0, 'TOO_SMALL body.requested_amount'],
      [1_000_000_000_001, 'TOO_BIG body.requested_amount'],
      [1.5, 'INVALID_TYPE body.requested_amount'],
    ])('refuses %j', async (requested, issue) => {
      const { status, body } = await send('refuses', requested);
      expect([status, issuesOf(body)]).toEqual([400, [issue]]);
    });
  });

  it.each([1, ORDINARY_LIMIT])('422 for %i, which is not above the limit', async (requested) => {
    const buyer = `same-${requested}`;
    await addFacility(world, buyer);
    const { status, body } = await send(buyer, requested);
    expect([status, body.reason]).toEqual([422, 'INCREASE_NOT_ABOVE_LIMIT']);
    expect(body.details).toMatchObject({ requested, total_amount: ORDINARY_LIMIT });
  });

  it('403 MERCHANT_NOT_ALLOWED for a key of one merchant: the facility is of the whole platform', async () => {
    const key = await world.addKey({ merchantExternalId: 'merchant' });
    const body = { requested_amount: 9_000_000 };
    const reply = await world.post('/v1/buyers/small/facility/increase', body, { key });
    expectProblem(reply, 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });

  it('404 for an unknown buyer as for one without a facility', async () => {
    await addBuyer(world, 'without');
    const [nobody, without] = [await send('nobody', 1), await send('without', 1)];
    expect([nobody.status, without.status, without.text]).toEqual([404, 404, nobody.text]);
  });

  describe('409', () => {
    it('PENDING_INCREASE while a person decides', async () => {
      await addFacility(world, 'waits-in-review');
      await decide(world, 'waits-in-review', 'CREATION', 'ACCEPT', 100_000);
      await send('waits-in-review', 200_000);
      const again = await send('waits-in-review', 300_000);
      expect([again.status, again.body.reason]).toEqual([409, 'PENDING_INCREASE']);
    });

    it('PENDING_INCREASE to all but one of 20 at once', async () => {
      await addFacility(world, 'hurried-in-review');
      await decide(world, 'hurried-in-review', 'CREATION', 'ACCEPT', 100_000);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => send('hurried-in-review', 200_000 + nth)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array(19).fill(409)]);
    });

    it.each(['PENDING', 'REJECTED', 'FROZEN', 'EXPIRED'] as const)(
      'INVALID_STATUS_TRANSITION for one that is %s',
      async (status) => {
        const suffix = status === 'PENDING' ? 'in-review' : status === 'REJECTED' ? 'rejected' : 'other';
        const buyer = `${status.toLowerCase()}-${suffix}`;
        await addFacility(world, buyer, {});
        if (suffix === 'other')
          await onFacility(world, buyer, ({ db }) =>
            db
              .updateTable('facilities')
              .set({ status: 'FROZEN', frozen_at: NOW })
              .where('platform_id', '=', world.platform.platform_id)
              .where('buyer_external_id', '=', buyer)
              .execute(),
          );
        if (status === 'EXPIRED') await makeDueOfFacilities(world, NOW + 90 * DAY);
        const reply = await send(buyer, 9_000_000);
        expect([reply.status, reply.body.reason]).toEqual([409, 'INVALID_STATUS_TRANSITION']);
        expect(reply.body.details).toMatchObject({ status, trigger: 'refer_increase' });
        expect(reply.body.details.allowed).not.toContain('increase');
      },
    );
  });
});
