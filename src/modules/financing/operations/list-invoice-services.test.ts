import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addFinanceableInvoice,
  addFinancedParties,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/invoices/{external_id}/services', () => {
  let world: World;
  let other: { key: string };
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
    await addFinanceableInvoice(world, { external_id: 'invoice' });
    await requestFinancing(world, 'invoice');
    other = { key: await world.addKey({ merchantExternalId: 'other', scopes: ['read'] }) };
  });
  afterAll(() => world.close());

  it('200 and 404: lists all of them', async () => {
    const { body } = await world.get('/v1/invoices/invoice/services?limit=1');
    expect(body).toMatchObject({ items: [{ status: 'ACCEPTED' }], total: 1, limit: 1, offset: 0 });
    expect((await world.get('/v1/invoices/invoice/services?offset=1')).body.items).toEqual([]);
    expectProblem(await world.get('/v1/invoices/nothing/services'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/invoice/services', other), 'NOT_FOUND');
  });
});
