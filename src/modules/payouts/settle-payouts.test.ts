/** The outcomes of payouts: paid, failed, returned and paid again. */
import { describe, expect, it } from 'vitest';
import { draftOrderBody } from '#test/bodies';
import { act } from '#test/credit';
import { PAYING_NOW, usePayouts } from '#test/payouts';
import { recordedEvents } from '#test/stored';
import { payoutLifecycle } from './payout.lifecycle.ts';
import { findPayoutsByEndToEndId } from './payout.queries.ts';
import { confirmPayouts, failPayouts, retryPayout, returnPayouts } from './settle-payouts.ts';

const DAY = 86_400;
const payouts = usePayouts();
const { world, merchant, advance, payoutsOf } = payouts;

let monday = PAYING_NOW;
/** A payout of 100.00, SCHEDULED. */
async function scheduled(): Promise<{ id: string; merchant: string; service: string }> {
  world().clock.set(monday);
  const of = await merchant();
  const service = await advance(of);
  await payouts.until(monday + 2.5 * DAY);
  monday += 7 * DAY;
  const [payout] = await payoutsOf(of);
  return { id: payout.external_id, merchant: of, service };
}
const simulate = (external_id: string, trigger: string) =>
  world().post('/v1/sandbox/payouts', { external_id, trigger });
const shown = async (id: string) => (await world().get(`/v1/payouts/${id}`)).body;
const statusOf = async (service: string) =>
  (
    await world().sql<{ status: string }>('select status from invoice_services where external_id = $1', [
      service,
    ])
  )[0]?.status;
const entriesOf = (id: string) =>
  world().sql<{ cause: string; lines: string[] }>(
    `select e.cause, array_agg(l.account || ' ' || l.amount order by l.line) as lines
     from ledger_entries e join ledger_lines l using (platform_id, entry_id)
     where e.payout_external_id = $1 group by e.ordinal, e.cause order by e.ordinal`,
    [id],
  );

describe('a payout that the bank pays', () => {
  it('pays its services out, disburses their orders once, and leaves the bank', async () => {
    world().clock.set(monday);
    const of = await merchant();
    const order = { external_id: 'order-1', merchant_external_id: of };
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    expect((await world().post('/v1/orders', draftOrderBody({ ...order, ...term }))).status).toBe(201);
    const part = { net: 5_000, gross: 5_000 };
    for (const external_id of ['part-1', 'part-2']) {
      const body = { external_id, order_external_ids: ['order-1'], amount: part };
      expect((await world().post('/v1/invoices', body)).status).toBe(201);
    }
    const [service] = [
      await advance(of, { invoice: 'part-1', amountMinor: 4_881 }),
      await advance(of, { invoice: 'part-2', amountMinor: 4_881 }),
    ];
    await payouts.until(monday + 2.5 * DAY);
    monday += 7 * DAY;
    const [{ external_id: id }] = await payoutsOf(of);
    expect(await simulate(id, 'instruct')).toMatchObject({ status: 200, body: { status: 'INSTRUCTED' } });
    const { status, body } = await simulate(id, 'confirm');
    expect([status, body.status, body.paid_at]).toEqual([200, 'PAID', world().clock.now()]);
    expect(await statusOf(service)).toBe('PAID_OUT');
    expect(await entriesOf(id)).toEqual([
      { cause: 'PAYOUT_PAID', lines: ['payout_clearing 9762', 'bank -9762'] },
    ]);
    expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual([
      'PAYOUT.SCHEDULED',
      'PAYOUT.PAID',
    ]);
    expect((await world().get('/v1/orders/order-1')).body.status).toBe('DISBURSED');
    expect((await recordedEvents(world(), 'order-1')).map(({ type }) => type)).toEqual([
      'ORDER.CONFIRMED',
      'ORDER.DISBURSED',
    ]);
  });
});

describe('a payout that comes back', () => {
  it('is owed again, can be scheduled again, and its services stay paid out', async () => {
    const { id, service } = await scheduled();
    await simulate(id, 'instruct');
    await simulate(id, 'confirm');
    const { body } = await simulate(id, 'return');
    expect(body).toMatchObject({
      status: 'FAILED',
      paid_at: null,
      failure_reason: 'Simulated in the sandbox.',
    });
    expect(await statusOf(service)).toBe('PAID_OUT');
    await act(world(), (context) => retryPayout(context, id, {}));
    expect(await shown(id)).toMatchObject({ status: 'SCHEDULED', failure_reason: null });
    await simulate(id, 'instruct');
    await simulate(id, 'confirm');
    expect((await entriesOf(id)).map(({ cause }) => cause)).toEqual([
      'PAYOUT_PAID',
      'PAYOUT_RETURNED',
      'PAYOUT_PAID',
    ]);
    expect((await recordedEvents(world(), id)).map(({ type }) => type)).toEqual([
      'PAYOUT.SCHEDULED',
      'PAYOUT.PAID',
      'PAYOUT.FAILED',
      'PAYOUT.SCHEDULED',
      'PAYOUT.PAID',
    ]);
  });
});

describe('a payout that the bank rejects', () => {
  it('is not scheduled again without a verified account', async () => {
    const { id, merchant: of } = await scheduled();
    await simulate(id, 'instruct');
    await simulate(id, 'fail');
    const account = { external_id: `${of}-account`, trigger: 'unverify' };
    await world().post('/v1/sandbox/payout_instructions', account);
    await expect(act(world(), (context) => retryPayout(context, id, {}))).rejects.toMatchObject({
      reason: 'NO_VERIFIED_PAYOUT_INSTRUCTION',
    });
    expect((await shown(id)).status).toBe('FAILED');
  });
});

describe('every status', () => {
  const made: Record<string, readonly string[]> = {
    SCHEDULED: [],
    INSTRUCTED: ['instruct'],
    PAID: ['instruct', 'confirm'],
    FAILED: ['instruct', 'fail'],
  };
  const triggers = { instruct: 'release', confirm: 'confirm', fail: 'fail', return: 'return' } as const;

  it.each(Object.entries(made))(
    'of %s allows what the lifecycle allows, and refuses the rest',
    async (status, steps) => {
      for (const [trigger, named] of Object.entries(triggers)) {
        const { id } = await scheduled();
        for (const step of steps) await simulate(id, step);
        expect((await shown(id)).status).toBe(status);
        const allowed = payoutLifecycle.transitions.some(
          (each) => each.from === status && each.trigger === named,
        );
        const reply = await simulate(id, trigger);
        expect([trigger, reply.status]).toEqual([trigger, allowed ? 200 : 409]);
      }
    },
  );
});

describe('what the bank says of several payouts', () => {
  it('is made of all or of none', async () => {
    const [one, other] = [await scheduled(), await scheduled()];
    await simulate(one.id, 'instruct');
    await expect(
      act(world(), (context) => confirmPayouts(context, [one.id, other.id])),
    ).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
    expect((await shown(one.id)).status).toBe('INSTRUCTED');
    await expect(
      act(world(), (context) => failPayouts(context, [one.id, 'nothing'], { reason: 'x' })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await simulate(other.id, 'instruct');
    const at = world().clock.now() - 60;
    await act(world(), (context) =>
      confirmPayouts(context, [one.id, other.id], { bookedAt: at, bankAccount: 'euro' }),
    );
    expect([(await shown(one.id)).paid_at, (await shown(other.id)).paid_at]).toEqual([at, at]);
  });

  it('is found by the EndToEndId, of this platform only', async () => {
    const { id } = await scheduled();
    const { end_to_end_id } = await shown(id);
    const { db } = world().installation;
    const { platform_id } = world().platform;
    expect(
      (await findPayoutsByEndToEndId(db, platform_id, [end_to_end_id, 'X'])).get(end_to_end_id)?.external_id,
    ).toBe(id);
    expect((await findPayoutsByEndToEndId(db, platform_id + 1, [end_to_end_id])).size).toBe(0);
  });

  it('returns nothing of a payout that transferred nothing', async () => {
    const { id } = await scheduled();
    await world().sql(`update payouts set amount = 0, status = 'PAID' where external_id = $1`, [id]);
    await expect(
      act(world(), (context) => returnPayouts(context, [id], { reason: 'x' })),
    ).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
    await world().sql(`update payouts set amount = 10000, status = 'SCHEDULED' where external_id = $1`, [id]);
  });
});
