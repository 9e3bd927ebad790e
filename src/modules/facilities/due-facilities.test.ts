/** What the service does with facilities automatically when it falls due. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  defaultPolicy,
  insertActivation,
  insertPolicy,
  RiskSourceFailed,
  sha256Of,
} from '#modules/underwriting';
import { findDue } from '#test/due';
import { addFacility, decide, facilityOf, makeDueOfFacilities, onFacility } from '#test/facilities';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { facilityExpiries, facilityRenewals } from './due-facilities.ts';

const NOW = 1_763_640_000;
const HOUR = 3_600;
const DAY = 86_400;

let world: World | undefined;
beforeEach(async () => {
  await world?.close();
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world?.close());

const deaf = {
  source: {
    name: 'DEAF',
    assess: async () => {
      throw new RiskSourceFailed('TIMEOUT');
    },
  },
  onFailure: 'error' as const,
  elapsedMs: () => 0,
};

const brief = (due: { dueAt: number; externalId: string; trigger: string }[]) =>
  due.map(({ dueAt, externalId, trigger }) => `${(dueAt - NOW) / DAY} ${externalId} ${trigger}`);

describe('a renewal', () => {
  it('is requested by the service 14 days before the end, not a second earlier', async () => {
    const here = world as World;
    await addFacility(here, 'ordinary');
    expect(await makeDueOfFacilities(here, NOW + 76 * DAY - 1)).toEqual([]);
    expect(brief(await makeDueOfFacilities(here, NOW + 76 * DAY))).toEqual(['76 ordinary renew']);
    expect(await facilityOf(here, 'ordinary')).toMatchObject({
      reviewed_at: NOW + 76 * DAY,
      expires_at: NOW + 180 * DAY,
    });
    expect((await facilityTransitions(here, 'ordinary'))[1]).toMatchObject({
      actor: 'service',
      transitioned_at: NOW + 76 * DAY,
      trigger: 'renew',
    });
    expect((await recordedEvents(here, 'ordinary')).at(-1)).toMatchObject({
      type: 'FACILITY.RENEWAL.ACCEPTED',
      occurred_at: NOW + 76 * DAY,
    });
  });

  it('continues for a year, each period where the last one ends, all in order', async () => {
    const here = world as World;
    await addFacility(here, 'one');
    here.clock.set(NOW + DAY);
    await addFacility(here, 'two');
    const made = brief(await makeDueOfFacilities(here, NOW + 365 * DAY));
    expect(made).toEqual([
      '76 one renew',
      '77 two renew',
      '166 one renew',
      '167 two renew',
      '256 one renew',
      '257 two renew',
      '346 one renew',
      '347 two renew',
    ]);
  });

  it('under review is not requested again; the period ends, and a late decision revives the facility', async () => {
    const here = world as World;
    await addFacility(here, 'waits-in-review');
    await decide(here, 'waits-in-review', 'CREATION', 'ACCEPT');
    expect(brief(await makeDueOfFacilities(here, NOW + 90 * DAY))).toEqual([
      '76 waits-in-review renew',
      '90 waits-in-review expire',
    ]);
    expect(await facilityOf(here, 'waits-in-review')).toMatchObject({
      status: 'EXPIRED',
      pending_actions: [{ type: 'RENEWAL', created_at: NOW + 76 * DAY }],
    });
    here.clock.set(NOW + 92 * DAY);
    await decide(here, 'waits-in-review', 'RENEWAL', 'ACCEPT', 300_000);
    expect(await facilityOf(here, 'waits-in-review')).toMatchObject({
      status: 'ACTIVE',
      total_amount: 300_000,
      available_amount: 300_000,
      expires_at: NOW + 182 * DAY,
    });
  });

  it('that is made late follows the policy of its own time', async () => {
    const here = world as World;
    const { db } = here.installation;
    const { platform_id: platformId } = here.platform;
    await addFacility(here, 'late');
    const { nodes, edges } = defaultPolicy().graph;
    const graph = { edges, nodes };
    const policy = { platformId, name: 'later', graph, sha256: sha256Of(graph), createdBy: 'anna' };
    const version = (await insertPolicy(db, { ...policy, createdAt: NOW + 77 * DAY })) as number;
    await insertActivation(db, {
      ...{ platformId, version, activatedAt: NOW + 77 * DAY, activatedBy: 'anna', approvedBy: 'ben' },
    });
    const made = brief(await makeDueOfFacilities(here, NOW + 200 * DAY));
    expect(made).toEqual(['76 late renew', '166 late renew']);
    const decisions = await here.sql(
      "select policy_version from credit_decisions where subject = 'FACILITY_RENEWAL' order by decided_at",
    );
    expect(decisions).toEqual([{ policy_version: 1 }, { policy_version: version }]);
  });

  it('is postponed by an hour while no decision can be made, and never beyond the end', async () => {
    const here = world as World;
    await addFacility(here, 'unlucky');
    expect(brief(await makeDueOfFacilities(here, NOW + 76 * DAY + HOUR - 1, deaf))).toEqual([
      '76 unlucky renew',
    ]);
    expect(await facilityOf(here, 'unlucky')).toMatchObject({
      status: 'ACTIVE',
      reviewed_at: NOW,
      expires_at: NOW + 90 * DAY,
    });
    // The source works again: the next attempt succeeds.
    const [again] = await makeDueOfFacilities(here, NOW + 76 * DAY + HOUR);
    expect(again?.dueAt).toBe(NOW + 76 * DAY + HOUR);
    expect((await facilityOf(here, 'unlucky')).expires_at).toBe(NOW + 180 * DAY);

    const end = NOW + 180 * DAY;
    const tried = await makeDueOfFacilities(here, end + DAY, deaf);
    expect(tried.filter(({ trigger }) => trigger === 'renew')).toHaveLength(14 * 24 + 1);
    expect(tried.slice(-2).map(({ dueAt, trigger }) => [dueAt, trigger])).toEqual([
      [end, 'renew'],
      [end, 'expire'],
    ]);
    const events = (await recordedEvents(here, 'unlucky')).map(({ type }) => type);
    expect(events.slice(-2)).toEqual(['FACILITY.RENEWAL.ACCEPTED', 'FACILITY.EXPIRED']);
  });

  it('is tried a last time when the period ends, however short the hour before it was', async () => {
    const here = world as World;
    await addFacility(here, 'unlucky');
    const end = NOW + 90 * DAY;
    await here.sql(`update facilities set renewal_due_at = ${end - HOUR / 2}`);
    const tried = await makeDueOfFacilities(here, end + DAY, deaf);
    expect(tried.map(({ dueAt, trigger }) => [dueAt - end, trigger])).toEqual([
      [-HOUR / 2, 'renew'],
      [0, 'renew'],
      [0, 'expire'],
    ]);
  });

  it('that two workers find at once is requested once', async () => {
    const here = world as World;
    await addFacility(here, 'shared');
    await Promise.all(Array.from({ length: 6 }, () => makeDueOfFacilities(here, NOW + 76 * DAY)));
    expect(await facilityTransitions(here, 'shared')).toHaveLength(2);
  });
});

describe('the end of a period', () => {
  it('leaves nothing available and keeps the limit, with entry, transition and event', async () => {
    const here = world as World;
    await addFacility(here, 'ends', { requested_amount: 50_000 });
    await onFacility(here, 'ends', ({ db }) =>
      db
        .updateTable('facilities')
        .set({ renewal_due_at: null })
        .where('platform_id', '=', here.platform.platform_id)
        .execute(),
    );
    expect(await makeDueOfFacilities(here, NOW + 90 * DAY - 1)).toEqual([]);
    expect(brief(await makeDueOfFacilities(here, NOW + 90 * DAY))).toEqual(['90 ends expire']);
    expect(await facilityOf(here, 'ends')).toMatchObject({
      status: 'EXPIRED',
      total_amount: 50_000,
      available_amount: 0,
      updated_at: NOW + 90 * DAY,
    });
    const { body } = await here.get('/v1/buyers/ends/facility/ledger?limit=1');
    expect(body.items[0]).toMatchObject({
      cause: 'EXPIRED',
      total_change: 0,
      available_change: -50_000,
      effective_at: NOW + 90 * DAY,
      actor: 'service',
    });
    expect((await recordedEvents(here, 'ends')).at(-1)).toMatchObject({
      type: 'FACILITY.EXPIRED',
      data: { sequence: 2, status: 'EXPIRED', previous_status: 'ACTIVE', available_amount: 0 },
    });
    expect(await makeDueOfFacilities(here, NOW + 900 * DAY)).toEqual([]);
  });

  it('that two workers find at once happens once', async () => {
    const here = world as World;
    await addFacility(here, 'shared');
    await here.sql('update facilities set renewal_due_at = null');
    await Promise.all(Array.from({ length: 6 }, () => makeDueOfFacilities(here, NOW + 90 * DAY)));
    const [{ entries } = {}] = await here.sql('select count(*)::int as entries from facility_ledger');
    expect(entries).toBe(2);
  });

  it('passes over what was renewed between finding and making it', async () => {
    const here = world as World;
    await addFacility(here, 'saved');
    const { db } = here.installation;
    const { platform_id: id } = here.platform;
    const due = await findDue(here, facilityExpiries, NOW + 90 * DAY);
    await here.post('/v1/buyers/saved/facility/renew');
    await decide(here, 'saved', 'RENEWAL', 'ACCEPT', 1_000);
    here.clock.set(NOW + DAY);
    await here.post('/v1/buyers/saved/facility/renew');
    expect(due).toHaveLength(1);
    await facilityExpiries.make(db, id, due, undefined);
    expect((await facilityOf(here, 'saved')).status).toBe('ACTIVE');
  });
});

describe('the platforms where something is due', () => {
  it("are found by their own clock, and not another's", async () => {
    const here = world as World;
    const { db } = here.installation;
    await addFacility(here, 'ordinary');
    const { platform: other } = await here.addPlatform();
    const platforms = (now: number) =>
      Promise.all([facilityRenewals.findPlatforms(db, now), facilityExpiries.findPlatforms(db, now)]);
    expect(await platforms(NOW + 76 * DAY - 1)).toEqual([[], []]);
    expect(await platforms(NOW + 76 * DAY)).toEqual([[here.platform.platform_id], []]);
    expect(await platforms(NOW + 90 * DAY)).toEqual([
      [here.platform.platform_id],
      [here.platform.platform_id],
    ]);
    await here.sql(`update platforms set clock_ahead_seconds = ${76 * DAY}`);
    expect(await platforms(NOW)).toEqual([[here.platform.platform_id], []]);
    expect((await platforms(NOW)).flat()).not.toContain(other.platform_id);
  });
});
