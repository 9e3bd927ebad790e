import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { FILES } from '#test/files';
import { issuesOf } from '#test/paging';
import { recordedEvents, tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const PDF = FILES['application/pdf'];

describe('POST /v1/invoices/{external_id}/files', () => {
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

  describe('201', () => {
    it('has every field; the file is at its Location, and the invoice has a new version and an event', async () => {
      world.clock.set(1_800_000_000);
      const path =
        '/v1/invoices/invoice/files?file_external_id=proof&kind=PERFORMANCE_PROOF&name=R%C3%BCckschein.pdf';
      const { status, headers, body } = await world.post(path, PDF);
      expect([status, headers.get('location')]).toEqual([201, '/v1/invoices/invoice/files/proof']);
      const sha256 = createHash('sha256').update(PDF).digest('hex');
      expect(body).toEqual({
        external_id: 'proof',
        invoice_external_id: 'invoice',
        kind: 'PERFORMANCE_PROOF',
        name: 'Rückschein.pdf',
        media_type: 'application/pdf',
        size_bytes: PDF.length,
        sha256,
        created_at: 1_800_000_000,
      });
      expect((await world.get('/v1/invoices/invoice')).headers.get('etag')).toMatch(/^"2/);
      expect((await recordedEvents(world, 'invoice')).at(-1)).toMatchObject({
        type: 'INVOICE.FILE.CREATED',
        data: {
          external_id: 'invoice',
          sequence: 2,
          file_external_id: 'proof',
          kind: 'PERFORMANCE_PROOF',
          sha256,
        },
      });
    });

    it('keeps the content and the name out of every table in clear', async () => {
      const text = '<Invoice><Person>Zyxwvu-Anneliese</Person></Invoice>';
      const headers = { 'content-type': 'application/xml', 'idempotency-key': 'file-once' };
      const path = pathOf('sealed').replace('x.pdf', 'Qponml-Krause.xml');
      expect((await world.post(path, Buffer.from(text), { headers })).status).toBe(201);
      expect(await tablesHolding(world, ['Zyxwvu-Anneliese', 'Qponml-Krause'])).toEqual([]);
      expect(await tablesHolding(world, ['sealed'])).toContain('invoice_files');
    });

    it('is stored once for a repeated Idempotency-Key, whose other content is refused', async () => {
      const headers = { 'idempotency-key': 'again' };
      const first = await world.post(pathOf('again'), PDF, { headers });
      const again = await world.post(pathOf('again'), PDF, { headers });
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
        201,
        first.text,
        'true',
      ]);
      const other = await world.post(pathOf('again'), Buffer.concat([PDF, Buffer.from(' ')]), { headers });
      expect(other.body.reason).toBe('IDEMPOTENCY_KEY_REUSED');
    });
  });

  describe('400', () => {
    it('names what is missing, and a file of another type or cut off is not stored', async () => {
      expect(issuesOf((await world.post('/v1/invoices/invoice/files')).body)).toEqual([
        'REQUIRED body',
        'REQUIRED query.file_external_id',
        'REQUIRED query.kind',
        'REQUIRED query.name',
      ]);
      const headers = { 'content-type': 'image/png' };
      expect(issuesOf((await world.post(pathOf('bad'), PDF, { headers })).body)).toEqual([
        'INVALID_VALUE headers.content-type',
      ]);
      expect(issuesOf((await world.post(pathOf('bad'), PDF.subarray(0, 60))).body)).toEqual([
        'INVALID_FORMAT body',
      ]);
      expect((await world.get('/v1/invoices/invoice/files/bad')).status).toBe(404);
    });
  });

  describe('403 and 404', () => {
    it('refuses a key without invoices:write, an unknown invoice, and one of another merchant or platform', async () => {
      const reader = await world.addKey({ scopes: ['read'] });
      const stranger = await world.addKey({ merchantExternalId: 'other' });
      const { apiKey } = await world.addPlatform();
      const statusOf = async (key: string, path = pathOf('refused')) =>
        (await world.post(path, PDF, { key })).status;
      expect([await statusOf(reader), await statusOf(stranger), await statusOf(apiKey)]).toEqual([
        403, 404, 404,
      ]);
      expect(await statusOf(world.apiKey, pathOf('x').replace('/invoice/', '/nobody/'))).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a taken external_id, and the 51st file, and leaves no file behind', async () => {
      await add('taken');
      expect((await add('taken')).body.reason).toBe('EXTERNAL_ID_ALREADY_EXISTS');
      await world.sql(
        `insert into invoice_files select platform_id, invoice_external_id, 'copy-' || n, file_id, kind, media_type, name_sealed, created_at, actor
         from invoice_files, generate_series(1, 50) n where external_id = 'taken'`,
      );
      expect(await add('full')).toMatchObject({
        status: 409,
        body: { reason: 'TOO_MANY_FILES', details: { files_max: 50 } },
      });
      const [{ count } = { count: 0 }] = await world.sql<{ count: number }>(
        'select count(*)::int from files f where not exists (select from invoice_files i where i.platform_id = f.platform_id and i.file_id = f.file_id)',
      );
      expect(count).toBe(0);
    });
  });
});
