/** Every status with every trigger, through the real commands. A transition that the table lacks is refused with the allowed triggers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { transitionOf } from '#kernel/lifecycle';
import type { ChangeContext } from '#operation/operation';
import { addFacility, decide, onFacility, unexplainedFacilities } from '#test/facilities';
import { operate } from '#test/operator';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { applyDecision, type FacilityDecision, overrideLimit } from './apply-decision.ts';
import { facilityExpiries } from './due-facilities.ts';
import { type FacilityStatus, type FacilityTrigger, facilityLifecycle } from './facility.lifecycle.ts';
import { type FacilityRow, lockFacility } from './facility.queries.ts';
import { freezeFacility } from './operations/freeze-facility.ts';
import { unfreezeFacility } from './operations/unfreeze-facility.ts';
import { transitionFacility } from './transition-facility.ts';

const NOW = 1_763_640_000;
const LIMIT = 500_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const input = (buyer: string) => ({ params: { external_id: buyer }, body: { reason: 'It is so.' } });

/** How to bring a facility into each status. */
const BEGINNINGS: Record<FacilityStatus, (name: string) => Promise<string>> = {
  PENDING: (name) => requested(`${name}-in-review`),
  REJECTED: (name) => requested(`${name}-rejected`),
  ACTIVE: (name) => requested(name),
  async FROZEN(name) {
    await requested(name);
    await operate(world, freezeFacility, input(name));
    return name;
  },
  async EXPIRED(name) {
    await requested(name);
    await expire(name);
    return name;
  },
};

/** An expired facility whose freeze can be ended. */
async function frozenThenExpired(name: string): Promise<string> {
  await BEGINNINGS.FROZEN(name);
  await expire(name);
  return name;
}

async function requested(buyer: string): Promise<string> {
  await addFacility(world, buyer, { requested_amount: LIMIT });
  return buyer;
}

/** Makes the end of the period due. */
async function expire(buyer: string): Promise<void> {
  await world.sql(`update facilities set expires_at = ${NOW} where buyer_external_id = '${buyer}'`);
  const due = { dueAt: NOW, resource: 'facility', externalId: buyer, trigger: 'expire' } as const;
  await facilityExpiries.make(world.installation.db, world.platform.platform_id, [due], undefined);
}

const decided = (about: FacilityDecision['about'], outcome: FacilityDecision['outcome']) => (buyer: string) =>
  onFacility(world, buyer, (context: ChangeContext, facility: FacilityRow) =>
    applyDecision(context, facility, {
      about,
      outcome,
      decisionId: randomUUID(),
      buyerReasons: ['NOT_POSSIBLE_NOW'],
      reviewId: randomUUID(),
      requestedMinor: null,
      limitMinor: 2 * LIMIT,
      riskBand: 'A1',
      priceClass: 'A',
    }),
  );

const TRIGGERS: Record<FacilityTrigger, (buyer: string) => Promise<unknown>> = {
  grant: decided('CREATION', 'ACCEPT'),
  refer: decided('CREATION', 'REFER'),
  reject: decided('CREATION', 'REJECT'),
  renew: decided('RENEWAL', 'ACCEPT'),
  refer_renewal: decided('RENEWAL', 'REFER'),
  reject_renewal: decided('RENEWAL', 'REJECT'),
  increase: decided('INCREASE', 'ACCEPT'),
  refer_increase: decided('INCREASE', 'REFER'),
  reject_increase: decided('INCREASE', 'REJECT'),
  override: (buyer) =>
    onFacility(world, buyer, (context, facility) =>
      overrideLimit(context, facility, {
        limitMinor: 3 * LIMIT,
        decisionId: randomUUID(),
        buyerReasons: ['LIMIT_RAISED'],
      }),
    ),
  freeze: (buyer) => operate(world, freezeFacility, input(buyer)),
  freeze_dissolved: (buyer) =>
    onFacility(world, buyer, (context, facility) =>
      transitionFacility(context, facility, {
        transition: transitionOf(facilityLifecycle, facility.status, 'freeze_dissolved'),
      }),
    ),
  unfreeze: (buyer) => operate(world, unfreezeFacility, input(buyer)),
  expire,
};

/** The allowed transitions of each status, as a second list to compare with. */
const ALLOWED: Record<FacilityStatus, Partial<Record<FacilityTrigger, FacilityStatus>>> = {
  PENDING: { grant: 'ACTIVE', reject: 'REJECTED' },
  REJECTED: { grant: 'ACTIVE', refer: 'PENDING', reject: 'REJECTED' },
  ACTIVE: {
    renew: 'ACTIVE',
    refer_renewal: 'ACTIVE',
    reject_renewal: 'ACTIVE',
    increase: 'ACTIVE',
    refer_increase: 'ACTIVE',
    reject_increase: 'ACTIVE',
    override: 'ACTIVE',
    freeze: 'FROZEN',
    freeze_dissolved: 'FROZEN',
    expire: 'EXPIRED',
  },
  FROZEN: {
    unfreeze: 'ACTIVE',
    renew: 'FROZEN',
    refer_renewal: 'FROZEN',
    reject_renewal: 'FROZEN',
    reject_increase: 'FROZEN',
    expire: 'EXPIRED',
  },
  EXPIRED: {
    renew: 'ACTIVE',
    refer_renewal: 'EXPIRED',
    reject_renewal: 'EXPIRED',
    reject_increase: 'EXPIRED',
    freeze: 'EXPIRED',
    unfreeze: 'EXPIRED',
  },
};

const stored = (buyer: string) =>
  inTransaction(world.installation.db, (db) =>
    lockFacility(db, { platformId: world.platform.platform_id, buyerExternalId: buyer }),
  );

describe.each(facilityLifecycle.states)('a facility that is %s', (status) => {
  const triggers = Object.keys(TRIGGERS) as FacilityTrigger[];

  it.each(triggers)('%s', async (trigger) => {
    const begin = status === 'EXPIRED' && trigger === 'unfreeze' ? frozenThenExpired : BEGINNINGS[status];
    const buyer = await begin(`${status}-${trigger}`.toLowerCase());
    const before = await stored(buyer);
    expect(before?.status).toBe(status);
    const events = await recordedEvents(world, buyer);
    const to = ALLOWED[status][trigger];
    if (to === undefined) {
      const outcome = await TRIGGERS[trigger](buyer).catch((error: unknown) => error);
      if (trigger !== 'expire')
        expect(outcome).toMatchObject({
          reason: 'INVALID_STATUS_TRANSITION',
          details: { status, trigger, allowed: expect.arrayContaining(Object.keys(ALLOWED[status])) },
        });
      const after = await stored(buyer);
      expect({ ...after, expires_at: null }).toEqual({ ...before, expires_at: null });
      expect(await recordedEvents(world, buyer)).toEqual(events);
      return;
    }
    await TRIGGERS[trigger](buyer);
    const after = await stored(buyer);
    expect(after).toMatchObject({ status: to, version: (before?.version ?? 0) + 1 });
    const event = (await recordedEvents(world, buyer)).slice(events.length);
    const transition = facilityLifecycle.transitions.find(
      (each) => each.from === status && each.trigger === trigger,
    );
    expect(event).toMatchObject([
      { type: transition?.event, data: { sequence: after?.version, status: to, previous_status: status } },
    ]);
    const written = (await facilityTransitions(world, buyer)).find(
      ({ version }) => version === after?.version,
    );
    expect(written).toMatchObject({ from_status: status, to_status: to, trigger });
    const entries = (after?.entry_last ?? 0) - (before?.entry_last ?? 0);
    expect(entries).toBe(transition?.credit === undefined ? 0 : 1);
  });
});

describe('the table', () => {
  it('has exactly the transitions that were tested', () => {
    const walked = Object.entries(ALLOWED).flatMap(([from, transitions]) =>
      Object.entries(transitions).map(([trigger, to]) => `${from} ${trigger} ${to}`),
    );
    const beginnings = ['null grant ACTIVE', 'null refer PENDING', 'null reject REJECTED'];
    const table = facilityLifecycle.transitions.map(({ from, trigger, to }) => `${from} ${trigger} ${to}`);
    expect(table.toSorted()).toEqual([...beginnings, ...walked].toSorted());
  });

  it('keeps every facility equal to its ledger', async () => {
    await decide(world, 'active-renew', 'RENEWAL', 'ACCEPT', 1);
    expect(await unexplainedFacilities(world)).toEqual([]);
  });
});
