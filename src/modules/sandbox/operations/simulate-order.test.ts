import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderLifecycle } from '#modules/orders';
import { auditCredit, facilityOf } from '#test/credit';
import { addParties, STATES, type State } from '#test/order-statuses';
import { expectProblem, notFoundNamed } from '#test/problem';
import { ledgerEntries, orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { ORDER_TRIGGERS } from '../simulator.schemas.ts';

const PATH = '/v1/sandbox/orders';
/** 2025-11-20 12:00 UTC. */
const T0 = 1_763_640_000;

/** Transitions that the status allows and a guard refuses. */
const GUARDED = new Set(['CONFIRMED, invoiced cancel', 'CONFIRMED, invoiced expire']);

describe('POST /v1/sandbox/orders', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(T0);
    await addParties(world);
  });
  afterAll(() => world.close());

  const simulate = (external_id: string, trigger: string) => world.post(PATH, { external_id, trigger });
  const orderIn = async (state: State) => {
    const id = `o${++made}`;
    await STATES[state](world, id);
    return id;
  };
  const stored = async (id: string) => ({
    transitions: await orderTransitions(world, id),
    entries: await ledgerEntries(world, { order: id }),
    events: (await recordedEvents(world, id)).map(({ type }) => type),
    reviews: await world.sql('select * from credit_reviews where order_external_id = $1', [id]),
  });

  describe.each(Object.keys(STATES) as State[])('of an order that is %s', (state) => {
    it.each(ORDER_TRIGGERS)('%s makes the transition of the lifecycle, or none', async (trigger) => {
      const id = await orderIn(state);
      const [status = ''] = state.split(',');
      const before = await stored(id);
      const reply = await simulate(id, trigger);
      const after = await stored(id);
      const transition = orderLifecycle.transitions.find(
        ({ from, trigger: other }) => from === status && other === trigger,
      );
      if (!transition || GUARDED.has(`${state} ${trigger}`)) {
        const reason = transition && trigger === 'cancel' ? 'ORDER_HAS_INVOICE' : 'INVALID_STATUS_TRANSITION';
        expectProblem(reply, 'CONFLICT', reason);
        if (reason === 'INVALID_STATUS_TRANSITION')
          expect(reply.body.details).toMatchObject({ status, trigger, allowed: expect.any(Array) });
        expect(after).toEqual(before);
        return;
      }
      expect(reply).toMatchObject({ status: 200, body: { external_id: id, status: transition.to } });
      expect(after.transitions.slice(before.transitions.length)).toMatchObject([
        { from_status: status, to_status: transition.to, trigger, actor: 'sandbox' },
      ]);
      expect(after.events.slice(before.events.length)).toEqual([transition.event]);
      expect(reply.headers.get('etag')).toBe(`"${after.transitions.at(-1)?.version}"`);
    });
  });

  it('confirm ends the review as accepted, decline as rejected', async () => {
    for (const [trigger, outcome] of [
      ['confirm', 'ACCEPT'],
      ['decline', 'REJECT'],
    ] as const) {
      const id = await orderIn('PENDING_CONFIRMATION');
      const { body } = await simulate(id, trigger);
      expect(body.cancellation_reason).toBe(trigger === 'decline' ? 'RISK' : null);
      expect((await stored(id)).reviews).toMatchObject([
        { status: 'DECIDED', outcome, decided_by: 'sandbox' },
      ]);
    }
  });

  it('expire releases the reservation and withdraws the review', async () => {
    const id = await orderIn('PENDING_CONFIRMATION');
    const { pending } = await facilityOf(world, 'late');
    expect((await simulate(id, 'expire')).body.status).toBe('EXPIRED');
    expect((await facilityOf(world, 'late')).pending).toBe(pending - 11_900);
    expect((await stored(id)).reviews).toMatchObject([{ status: 'WITHDRAWN' }]);
  });

  it('422: confirm checks the guard again, and then the review is not decided either', async () => {
    const id = await orderIn('PENDING_CONFIRMATION');
    await world.post('/v1/sandbox/facilities', { buyer_external_id: 'late', trigger: 'freeze' });
    const before = await stored(id);
    expectProblem(await simulate(id, 'confirm'), 'UNPROCESSABLE_ENTITY', 'FACILITY_FROZEN');
    expect(await stored(id)).toEqual(before);
    await world.post('/v1/sandbox/facilities', { buyer_external_id: 'late', trigger: 'unfreeze' });
    expect((await simulate(id, 'confirm')).status).toBe(200);
  });

  it('leaves every ledger explaining its facility', async () => {
    expect(await auditCredit(world)).toEqual([]);
  });

  it.each(['complete_checkout', 'invoice', 'disburse', 'settle'])(
    '400: for %s, which something else makes',
    async (trigger) => {
      const reply = await simulate(await orderIn('CONFIRMED, invoiced'), trigger);
      expect(reply.body.issues).toMatchObject([{ code: 'INVALID_ENUM', path: 'body.trigger' }]);
    },
  );

  it('404: for an unknown order, or one of another platform', async () => {
    const other = await world.addPlatform();
    const id = await orderIn('CONFIRMED');
    for (const trigger of ORDER_TRIGGERS) {
      expect((await simulate('nothing', trigger)).body).toEqual(notFoundNamed('body.external_id', 'nothing'));
      const { body } = await world.post(PATH, { external_id: id, trigger }, { key: other.apiKey });
      expect(body).toEqual(notFoundNamed('body.external_id', id));
    }
  });

  it('403: needs the scope admin, and a key of the whole platform', async () => {
    const body = { external_id: await orderIn('CONFIRMED'), trigger: 'expire' };
    const writing = await world.addKey({ scopes: ['orders:write'] });
    expectProblem(await world.post(PATH, body, { key: writing }), 'FORBIDDEN', 'INSUFFICIENT_SCOPE');
    const restricted = await world.addKey({ merchantExternalId: 'merchant' });
    expectProblem(await world.post(PATH, body, { key: restricted }), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });
});
