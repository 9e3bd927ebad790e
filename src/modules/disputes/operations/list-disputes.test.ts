import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();
const PATH = '/v1/invoices/with-some/disputes';

beforeAll(async () => {
  const body = { external_id: 'with-some', buyer_external_id: 'buyer', due_at: NOW + 86_400 };
  await create(invoiceBody(body));
  for (const external_id of ['first', 'second', 'third'])
    await world().post(PATH, { external_id, reason: 'OTHER', amount: 100 });
  await world().post(`${PATH}/first/withdraw`);
});

describe('GET /v1/invoices/{external_id}/disputes', () => {
  it('200: lists all, the earliest first, in pages', async () => {
    const { body } = await world().get(PATH);
    const ids = body.items.map(({ external_id, status }: { external_id: string; status: string }) => [
      external_id,
      status,
    ]);
    expect(ids).toEqual([
      ['first', 'WITHDRAWN'],
      ['second', 'OPEN'],
      ['third', 'OPEN'],
    ]);
    expect(body).toMatchObject({ total: 3, limit: 100, offset: 0 });
    const page = (await world().get(`${PATH}?limit=1&offset=1`)).body;
    expect(page).toMatchObject({ items: [{ external_id: 'second' }], total: 3 });
  });

  it('404: for an unknown invoice, and one of another merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await world().get('/v1/invoices/unknown/disputes')).status).toBe(404);
    expect((await world().get(PATH, { key })).status).toBe(404);
  });
});
