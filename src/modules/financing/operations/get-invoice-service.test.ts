import { describe, expect, it } from 'vitest';
import { useFinancing } from '#test/financing';
import { expectProblem } from '#test/problem';

describe('GET /v1/invoices/{external_id}/services/{service_type}', () => {
  const used = useFinancing();

  it('200 and 404: shows the last of the type', async () => {
    const { world, other } = used;
    const { status, body, headers } = await world.get('/v1/invoices/invoice/services/FINANCING');
    expect([status, body.status, headers.get('etag')]).toEqual([200, 'ACCEPTED', '"2"']);
    expectProblem(await world.get('/v1/invoices/invoice/services/COLLECTION'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/nothing/services/FINANCING'), 'NOT_FOUND');
    expectProblem(await world.get('/v1/invoices/invoice/services/FINANCING', other), 'NOT_FOUND');
  });
});
