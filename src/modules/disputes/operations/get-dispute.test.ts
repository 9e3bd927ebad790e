import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();
const PATH = '/v1/invoices/with-one/disputes';

beforeAll(async () => {
  for (const external_id of ['with-one', 'without'])
    await create(invoiceBody({ external_id, buyer_external_id: 'buyer', due_at: NOW + 86_400 }));
  await world().post(PATH, { external_id: 'the-one', reason: 'OTHER', amount: 100, comment: 'Why?' });
});

describe('GET /v1/invoices/{external_id}/disputes/{dispute_external_id}', () => {
  it('200: answers it with its version', async () => {
    const { status, headers, body } = await world().get(`${PATH}/the-one`);
    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
    expect(body).toMatchObject({ external_id: 'the-one', status: 'OPEN', comment: 'Why?' });
  });

  it('404: for an unknown one, one of another invoice, and one of another merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    for (const [path, more] of [
      [`${PATH}/unknown`, {}],
      ['/v1/invoices/without/disputes/the-one', {}],
      ['/v1/invoices/unknown/disputes/the-one', {}],
      [`${PATH}/the-one`, { key }],
    ] as const)
      expect((await world().get(path, more)).status).toBe(404);
  });
});
