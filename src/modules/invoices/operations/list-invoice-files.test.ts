import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { FILES } from '#test/files';
import { createWorld, type World } from '#test/world';

const PDF = FILES['application/pdf'];

describe('GET /v1/invoices/{external_id}/files', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['merchant', 'other'])
      await world.post('/v1/merchants', merchantBody({ external_id }));
    await world.post('/v1/buyers', buyerBody({}));
    await world.post('/v1/invoices', invoiceBody({}));
  });
  afterAll(() => world.close());

  const pathOf = (id: string, more = '') =>
    `/v1/invoices/invoice/files?file_external_id=${id}&kind=INVOICE&name=x.pdf${more}`;
  const add = (id: string) => world.post(pathOf(id), PDF);

  it('200: lists the files, newest first, in pages', async () => {
    for (const [nth, id] of ['f1', 'f2', 'f3'].entries()) {
      world.clock.set(1_800_000_000 + nth);
      await add(id);
    }
    const { body } = await world.get('/v1/invoices/invoice/files?limit=2');
    expect(body).toMatchObject({
      items: [{ external_id: 'f3' }, { external_id: 'f2', name: 'x.pdf' }],
      total: 3,
      limit: 2,
    });
  });

  it('404: for an unknown invoice, and for another merchant or platform', async () => {
    const stranger = await world.addKey({ merchantExternalId: 'other' });
    const { apiKey } = await world.addPlatform();
    const list = '/v1/invoices/invoice/files';
    const replies = [
      await world.get('/v1/invoices/nobody/files'),
      await world.get(list, { key: stranger }),
      await world.get(list, { key: apiKey }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
