import { describe, expect, it } from 'vitest';
import { useFinancing } from '#test/financing';
import { expectProblem } from '#test/problem';

describe('GET /v1/invoices/{external_id}/services', () => {
  const used = useFinancing();

  it('200 and 404: lists all of them', async () => {
    const { world, other } = used;
    const { body } = await world.get('/v1/invoices/invoice/services?limit=1');
    expect(body).toMatchObject({ items: [{ status: 'ACCEPTED' }], total: 1, limit: 1, offset: 0 });
    expect((await world.get('/v1/invoices/invoice/services?offset=1')).body.items).toEqual([]);
    expectProblem(await world.get('/v1/invoices/nothing/services'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/invoice/services', other), 'NOT_FOUND');
  });
});
