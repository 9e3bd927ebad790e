import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addFinanceableInvoice,
  addFinancedParties,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/invoices/{external_id}/services/{service_type}', () => {
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

  it('200 and 404: shows the last of the type', async () => {
    const { status, body, headers } = await world.get('/v1/invoices/invoice/services/FINANCING');
    expect([status, body.status, headers.get('etag')]).toEqual([200, 'ACCEPTED', '"2"']);
    expectProblem(await world.get('/v1/invoices/invoice/services/COLLECTION'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/nothing/services/FINANCING'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/invoice/services/FINANCING', other), 'NOT_FOUND');
  });
});
