import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { FILES } from '#test/files';
import { createWorld, type World } from '#test/world';

const PDF = FILES['application/pdf'];

describe('GET /v1/invoices/{external_id}/files/{file_external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
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

  it('200: answers the bytes as an attachment, whose ETag is their SHA-256', async () => {
    const { body } = await add('f1');
    const reply = await world.get(path);
    expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([
      200,
      PDF.toString(),
      `"${body.sha256}"`,
    ]);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''x.pdf");
  });

  it('404: for an unknown file, and for another merchant or platform', async () => {
    const stranger = await world.addKey({ merchantExternalId: 'other' });
    const { apiKey } = await world.addPlatform();
    const replies = [
      await world.get('/v1/invoices/invoice/files/f2'),
      await world.get('/v1/invoices/nobody/files/f1'),
      await world.get(path, { key: stranger }),
      await world.get(path, { key: apiKey }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('500: for one that was altered', async () => {
    await world.sql('update file_chunks set sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20))');
    expect((await world.get(path)).status).toBe(500);
  });
});
