import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postEntry } from '#modules/facilities';
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
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => world.clock.set(NOW));
afterAll(() => world.close());

const renew = (buyer: string, more = {}) => world.post(`/v1/buyers/${buyer}/facility/renew`, undefined, more);
const lastEvent = async (buyer: string) => (await recordedEvents(world, buyer)).at(-1);

/** Lets invoices use `amount`, so that a lower limit can be below it. */
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
  describe('202', () => {
    it('answers the buyer, and begins a new period from now', async () => {
      await addFacility(world, 'ordinary');
      world.clock.set(NOW + 40 * DAY);
      const { status, body } = await renew('ordinary');
      expect({ status, body }).toEqual({ status: 202, body: { buyer_external_id: 'ordinary' } });
      expect(await facilityOf(world, 'ordinary')).toMatchObject({
        status: 'ACTIVE',
        total_amount: ORDINARY_LIMIT,
        reviewed_at: NOW + 40 * DAY,
        expires_at: NOW + 130 * DAY,
        created_at: NOW,
        updated_at: NOW + 40 * DAY,
      });
      expect(await lastEvent('ordinary')).toMatchObject({
        type: 'FACILITY.RENEWAL.ACCEPTED',
        occurred_at: NOW + 40 * DAY,
        data: {
          sequence: 2,
          status: 'ACTIVE',
          previous_status: 'ACTIVE',
          total_amount: ORDINARY_LIMIT,
          previous_total_amount: ORDINARY_LIMIT,
          expires_at: NOW + 130 * DAY,
        },
      });
      expect((await ledgerOf(world, 'ordinary')).at(-1)).toBe(`RENEWED available ${ORDINARY_LIMIT}`);
    });

    it.each([
      ['76 days after it began', 76 * DAY, 180],
      ['89 days after it began', 89 * DAY, 180],
      ['a second before the last 14 days', 76 * DAY - 1, null],
    ])(
      'begins the new period where the old one ends, in its last 14 days only: %s',
      async (when, after, days) => {
        const buyer = when.replaceAll(/\W/g, '-');
        await addFacility(world, buyer);
        // So that the service does not renew it first.
        await world.sql('update facilities set renewal_due_at = null where buyer_external_id = $1', [buyer]);
        world.clock.set(NOW + after);
        await renew(buyer);
        const { expires_at: expiresAt } = await facilityOf(world, buyer);
        expect(expiresAt).toBe(days === null ? NOW + after + 90 * DAY : NOW + days * DAY);
      },
    );

    it('may lower the limit below what is used: nothing is available, and nothing is clawed back', async () => {
      await addFacility(world, 'cafe-renewal-lower');
      await use('cafe-renewal-lower', 2_000_000);
      await renew('cafe-renewal-lower');
      expect(await facilityOf(world, 'cafe-renewal-lower')).toMatchObject({
        status: 'ACTIVE',
        total_amount: ORDINARY_LIMIT / 2,
        used_amount: 2_000_000,
        available_amount: 0,
      });
      expect(await lastEvent('cafe-renewal-lower')).toMatchObject({
        data: {
          total_amount: ORDINARY_LIMIT / 2,
          previous_total_amount: ORDINARY_LIMIT,
          available_amount: 0,
        },
      });
      expect(await ledgerOf(world, 'cafe-renewal-lower')).toEqual([
        `LIMIT_GRANTED total +${ORDINARY_LIMIT} available ${ORDINARY_LIMIT}`,
        'INVOICE_FINANCED used +2000000 available 1000000',
        `RENEWED total -${ORDINARY_LIMIT / 2} available 0`,
      ]);
    });

    it('may be left to a person, and the running period stays usable', async () => {
      // Granted by a person, since the script refers everything.
      await addFacility(world, 'cafe-in-review');
      await decide(world, 'cafe-in-review', 'CREATION', 'ACCEPT');
      world.clock.set(NOW + DAY);
      expect((await renew('cafe-in-review')).status).toBe(202);
      expect(await facilityOf(world, 'cafe-in-review')).toMatchObject({
        status: 'ACTIVE',
        available_amount: ORDINARY_LIMIT,
        reviewed_at: NOW,
        expires_at: NOW + 90 * DAY,
        pending_actions: [{ type: 'RENEWAL', created_at: NOW + DAY }],
      });
      expect(await lastEvent('cafe-in-review')).toMatchObject({ type: 'FACILITY.RENEWAL.IN_REVIEW' });
      expect((await recordedEvents(world, 'cafe-in-review')).at(-1)?.data).not.toHaveProperty(
        'previous_total_amount',
      );
    });

    it.each(['ACCEPT', 'REJECT'] as const)('is then decided by a person: %s', async (outcome) => {
      const buyer = `${outcome.toLowerCase()}-in-review`;
      await addFacility(world, buyer);
      await decide(world, buyer, 'CREATION', 'ACCEPT');
      await renew(buyer);
      world.clock.set(NOW + 5 * DAY);
      await decide(world, buyer, 'RENEWAL', outcome, 999_999);
      const isAccepted = outcome === 'ACCEPT';
      expect(await facilityOf(world, buyer)).toMatchObject({
        status: 'ACTIVE',
        total_amount: isAccepted ? 999_999 : ORDINARY_LIMIT,
        available_amount: isAccepted ? 999_999 : ORDINARY_LIMIT,
        risk_band: 'C1',
        reviewed_at: NOW + 5 * DAY,
        expires_at: NOW + (isAccepted ? 95 : 90) * DAY,
        pending_actions: [],
      });
      expect((await lastEvent(buyer))?.type).toBe(`FACILITY.RENEWAL.${outcome}ED`);
    });

    it('may be rejected: the running period stays usable, and the service does not request again', async () => {
      await addFacility(world, 'refused');
      await world.post('/v1/contacts', {
        external_id: 'refuse',
        buyer_external_id: 'refused',
        email: 'rejected@example.com',
      });
      await renew('refused');
      expect(await facilityOf(world, 'refused')).toMatchObject({
        status: 'ACTIVE',
        available_amount: ORDINARY_LIMIT,
        risk_band: 'B1',
        reviewed_at: NOW,
        expires_at: NOW + 90 * DAY,
      });
      expect((await lastEvent('refused'))?.type).toBe('FACILITY.RENEWAL.REJECTED');
      const made = (await makeDueOfFacilities(world, NOW + 90 * DAY)).filter(
        ({ externalId }) => externalId === 'refused',
      );
      expect(made).toEqual([
        { dueAt: NOW + 90 * DAY, resource: 'facility', externalId: 'refused', trigger: 'expire' },
      ]);
    });

    it('revives an expired facility: what is available is restored', async () => {
      await addFacility(world, 'revived');
      await use('revived', 100_000);
      await onFacility(world, 'revived', ({ db }) =>
        db
          .updateTable('facilities')
          .set({ renewal_due_at: null })
          .where('platform_id', '=', world.platform.platform_id)
          .where('buyer_external_id', '=', 'revived')
          .execute(),
      );
      await makeDueOfFacilities(world, NOW + 90 * DAY);
      world.clock.set(NOW + 100 * DAY);
      expect(await facilityOf(world, 'revived')).toMatchObject({ status: 'EXPIRED', available_amount: 0 });
      await renew('revived');
      expect(await facilityOf(world, 'revived')).toMatchObject({
        status: 'ACTIVE',
        available_amount: ORDINARY_LIMIT - 100_000,
        expires_at: NOW + 190 * DAY,
      });
      expect(await lastEvent('revived')).toMatchObject({
        type: 'FACILITY.RENEWAL.ACCEPTED',
        data: { previous_status: 'EXPIRED', status: 'ACTIVE' },
      });
      expect((await ledgerOf(world, 'revived')).slice(-2)).toEqual([
        'EXPIRED available 0',
        `RENEWED available ${ORDINARY_LIMIT - 100_000}`,
      ]);
    });

    it('with the same key requests once', async () => {
      await addFacility(world, 'keyed');
      const headers = { 'idempotency-key': 'renew-once' };
      const replies = [await renew('keyed', { headers }), await renew('keyed', { headers })];
      expect(replies.map(({ status, text }) => `${status} ${text}`)).toEqual(
        Array(2).fill('202 {"buyer_external_id":"keyed"}'),
      );
      expect(await ledgerOf(world, 'keyed')).toHaveLength(2);
    });
  });

  it('400 to a body with fields', async () => {
    const reply = await world.post('/v1/buyers/ordinary/facility/renew', { total_amount: 1 });
    expect(reply.body.issues).toMatchObject([{ code: 'UNRECOGNIZED_KEYS', path: 'body' }]);
    expect((await world.post('/v1/buyers/ordinary/facility/renew', {})).status).toBe(202);
  });

  it('404 for an unknown buyer as for one without a facility', async () => {
    await addBuyer(world, 'without');
    const [nobody, without] = [await renew('nobody'), await renew('without')];
    expect([nobody.status, without.status, without.text]).toEqual([404, 404, nobody.text]);
  });

  it('403 MERCHANT_NOT_ALLOWED for a key of one merchant: the facility is of the whole platform', async () => {
    await addFacility(world, 'of-all');
    const before = await facilityOf(world, 'of-all');
    const key = await world.addKey({ merchantExternalId: 'merchant' });
    expectProblem(await renew('of-all', { key }), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
    expect(await facilityOf(world, 'of-all')).toEqual(before);
  });

  describe('409', () => {
    it('PENDING_RENEWAL while a person decides', async () => {
      await addFacility(world, 'waits-in-review');
      await decide(world, 'waits-in-review', 'CREATION', 'ACCEPT');
      await renew('waits-in-review');
      const again = await renew('waits-in-review');
      expect([again.status, again.body.reason]).toEqual([409, 'PENDING_RENEWAL']);
      expect((await facilityOf(world, 'waits-in-review')).pending_actions).toHaveLength(1);
    });

    it.each([
      ['PENDING', 'pending-in-review', ['grant', 'reject']],
      ['REJECTED', 'refused-rejected', ['grant', 'refer', 'reject']],
    ])('INVALID_STATUS_TRANSITION for one that is %s, with what it may', async (status, buyer, allowed) => {
      await addFacility(world, buyer);
      const reply = await renew(buyer);
      expect([reply.status, reply.body.reason]).toEqual([409, 'INVALID_STATUS_TRANSITION']);
      expect(reply.body.details).toMatchObject({ status, trigger: 'refer_renewal', allowed });
    });
  });
});
