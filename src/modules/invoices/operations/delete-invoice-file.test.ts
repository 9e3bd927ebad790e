import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { FILES } from '#test/files';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const PDF = FILES['application/pdf'];

describe('DELETE /v1/invoices/{external_id}/files/{file_external_id}', () => {
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

  const path = '/v1/invoices/invoice/files/f1';

  it('200: deletes the content too, with an event, and the external_id can be used again', async () => {
    await add('f1');
    const { status, text } = await world.delete(path);
    expect([status, text]).toEqual([200, 'null']);
    expect((await world.get(path)).status).toBe(404);
    expect(await world.sql('select 1 from files union all select 1 from file_chunks')).toEqual([]);
    expect((await recordedEvents(world, 'invoice')).at(-1)).toMatchObject({
      type: 'INVOICE.FILE.DELETED',
      data: { sequence: 3, file_external_id: 'f1' },
    });
    expect((await add('f1')).status).toBe(201);
  });

  it('403 and 404: for a key without invoices:write, an unknown file, another merchant or platform', async () => {
    const reader = await world.addKey({ scopes: ['read'] });
    const stranger = await world.addKey({ merchantExternalId: 'other' });
    const { apiKey } = await world.addPlatform();
    const replies = [
      await world.delete(path, { key: reader }),
      await world.delete('/v1/invoices/invoice/files/f2'),
      await world.delete(path, { key: stranger }),
      await world.delete(path, { key: apiKey }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 404, 404, 404]);
    expect((await world.get(path)).status).toBe(200);
  });
});
