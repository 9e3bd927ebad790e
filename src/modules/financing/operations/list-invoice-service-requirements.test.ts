import { describe, expect, it } from 'vitest';
import { useFinancing } from '#test/financing';
import { expectProblem } from '#test/problem';

describe('GET /v1/invoices/{external_id}/services/{service_type}/requirements', () => {
  const used = useFinancing();

  it('200 and 404: is what a request would find, and stores nothing', async () => {
    const { world, other } = used;
    const before = await world.sql('select count(*) from invoice_services');
    const { body } = await world.get('/v1/invoices/invoice/services/FINANCING/requirements');
    expect(body).toMatchObject({
      ...{ service_type: 'FINANCING', requirements: [], base_amount: 11_900 },
      ...{ fee: { gross: 150 }, advance_amount: 11_750 },
    });
    expect(await world.sql('select count(*) from invoice_services')).toEqual(before);
    const insurance = await world.get('/v1/invoices/invoice/services/INSURANCE/requirements');
    expect(insurance.body).toMatchObject({ requirements: [], fee: null, advance_amount: 0 });
    expectProblem(await world.get('/v1/invoices/nothing/services/FINANCING/requirements'), 'NOT_FOUND');
    expectProblem(
      await world.get('/v1/invoices/invoice/services/FINANCING/requirements', other),
      'NOT_FOUND',
    );
  });
});
