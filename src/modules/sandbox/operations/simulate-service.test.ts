import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addFinanceableInvoice,
  addFinancedParties,
  FINANCING_STARTS,
  payOutEverything,
  requestFinancing,
} from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('POST /v1/sandbox/services', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
    await addFinanceableInvoice(world, { external_id: 'invoice' });
  });
  afterAll(() => world.close());
  const simulate = (service_type: string, trigger: string, options = {}) =>
    world.post('/v1/sandbox/services', { invoice_external_id: 'invoice', service_type, trigger }, options);
  const request = (type: string) =>
    world.post(`/v1/invoices/invoice/services/${type}`, { terms_accepted_at: FINANCING_STARTS });
  const walk = async (type: string, ...triggers: string[]) => {
    expect((await request(type)).status).toBe(201);
    const statuses: string[] = [];
    for (const trigger of triggers) statuses.push((await simulate(type, trigger)).body.status);
    return statuses;
  };

  it('200: leads an insurance and a collection through their lifecycles', async () => {
    expect(await walk('INSURANCE', 'accept', 'notify_claim', 'assess', 'deny_claim')).toEqual([
      ...['ACCEPTED', 'CLAIM_NOTIFIED', 'CLAIM_IN_ASSESSMENT', 'CLAIM_DENIED'],
    ]);
    expect(await walk('INSURANCE', 'accept', 'notify_claim', 'assess', 'pay_claim')).toContain('CLAIM_PAID');
    expect(await walk('INSURANCE', 'accept', 'expire')).toEqual(['ACCEPTED', 'COVER_EXPIRED']);
    expect(await walk('INSURANCE', 'reject')).toEqual(['REJECTED']);
    expect(await walk('COLLECTION', 'accept', 'escalate', 'give_up')).toEqual([
      ...['EARLY_COLLECTION', 'LATE_COLLECTION', 'UNCOLLECTIBLE'],
    ]);
    expect(await walk('COLLECTION', 'accept', 'collect')).toEqual(['EARLY_COLLECTION', 'COLLECTED']);
  });

  it('409: accepts no financing of which something is missing, and none that ended', async () => {
    await world.delete('/v1/invoices/invoice/files/file');
    await requestFinancing(world, 'invoice');
    const { body } = await simulate('FINANCING', 'accept');
    expect(body).toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      error: 'Some requirements are not met: NO_INVOICE_FILE_FOUND',
    });
    expect((await simulate('FINANCING', 'reject')).body.status).toBe('REJECTED');
    expectProblem(await simulate('FINANCING', 'accept'), 'CONFLICT', 'INVALID_STATUS_TRANSITION');
    expectProblem(await simulate('FINANCING', 'collect'), 'CONFLICT', 'INVALID_STATUS_TRANSITION');
  });

  it('200: lets a paid-out financing default, which freezes the facility', async () => {
    await addFinanceableInvoice(world, { external_id: 'defaulting' });
    const of = { invoice_external_id: 'defaulting', service_type: 'FINANCING' };
    await requestFinancing(world, 'defaulting');
    expectProblem(
      await world.post('/v1/sandbox/services', { ...of, trigger: 'default' }),
      'CONFLICT',
      'INVALID_STATUS_TRANSITION',
    );
    await payOutEverything(world);
    const { body } = await world.post('/v1/sandbox/services', { ...of, trigger: 'default' });
    expect(body.status).toBe('DEFAULTED');
    expect((await world.get('/v1/buyers/buyer/facility')).body.status).toBe('FROZEN');
  });

  it('404 and 403: an unknown service, a key of one merchant', async () => {
    const unknown = { invoice_external_id: 'nothing', service_type: 'FINANCING', trigger: 'accept' };
    expectProblem(await world.post('/v1/sandbox/services', unknown), 'NOT_FOUND');
    const key = await world.addKey({ merchantExternalId: 'merchant', scopes: ['admin'] });
    expectProblem(await simulate('FINANCING', 'accept', { key }), 'FORBIDDEN', 'MERCHANT_NOT_ALLOWED');
  });
});
