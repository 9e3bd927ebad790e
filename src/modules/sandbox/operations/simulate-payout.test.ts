import { describe, expect, it } from 'vitest';
import { addDebtor } from '#test/credit';
import { PAYING_NOW, usePayouts } from '#test/payouts';

const DAY = 86_400;

describe('POST /v1/sandbox/payouts', () => {
  const payouts = usePayouts();
  const { world } = payouts;
  let monday = PAYING_NOW;
  const simulate = (external_id: string, trigger: string, key?: string) =>
    world().post('/v1/sandbox/payouts', { external_id, trigger }, key === undefined ? {} : { key });
  async function scheduled(invoice?: string): Promise<string> {
    world().clock.set(monday);
    const merchant = await payouts.merchant();
    await payouts.advance(merchant, invoice === undefined ? {} : { invoice });
    await payouts.until(monday + 2 * DAY);
    monday += 7 * DAY;
    return (await payouts.payoutsOf(merchant))[0].external_id;
  }

  it('200: makes each transition in turn, and answers the payout', async () => {
    const id = await scheduled();
    for (const [trigger, status] of [
      ['instruct', 'INSTRUCTED'],
      ['confirm', 'PAID'],
      ['return', 'FAILED'],
    ] as const) {
      const reply = await simulate(id, trigger);
      expect([reply.status, reply.body.status]).toEqual([200, status]);
      expect(reply.headers.get('etag')).toMatch(/^"\d+"$/);
    }
  });

  it('200: fails a payout for an invoice of a buyer with the script payout-fails', async () => {
    await addDebtor(world(), { buyer: 'cafe-payout-fails', totalMinor: 1_000_000 });
    const merchant = await payouts.merchantWithoutAccount();
    const invoice = await payouts.invoice(merchant, { buyer_external_id: 'cafe-payout-fails' });
    const { body } = await simulate(await scheduled(invoice), 'instruct');
    expect(body).toMatchObject({ status: 'FAILED', failure_reason: 'Simulated in the sandbox.' });
  });

  it('409: refuses what the status does not allow', async () => {
    const id = await scheduled();
    const { status, body } = await simulate(id, 'confirm');
    expect([status, body.reason, body.details.allowed]).toEqual([
      409,
      'INVALID_STATUS_TRANSITION',
      ['release', 'set_off', 'cancel'],
    ]);
  });

  it('422: refuses to instruct a payout to an account that is not verified any more', async () => {
    const id = await scheduled();
    const { body: payout } = await world().get(`/v1/payouts/${id}`);
    const account = { external_id: payout.payout_instruction_external_id, trigger: 'unverify' };
    await world().post('/v1/sandbox/payout_instructions', account);
    const { status, body } = await simulate(id, 'instruct');
    expect([status, body.reason]).toEqual([422, 'NO_VERIFIED_PAYOUT_INSTRUCTION']);
  });

  it('400: refuses another trigger', async () => {
    expect((await simulate('any', 'pay')).status).toBe(400);
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'merchant', scopes: ['admin'] });
    expect((await simulate('any', 'instruct', key)).status).toBe(403);
  });

  it('404: names the payout that does not exist', async () => {
    expect(await simulate('nothing', 'instruct')).toMatchObject({ status: 404 });
  });
});
