import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { FILES } from '#test/files';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;
const { create, world } = useInvoicing();

let made = 0;
const LINE = { name: 'Beans', category: 'Coffee', price: 2_500, quantity: 2 };
/** An invoice over 119.00 with two lines; returns its external_id. */
async function invoice(more: object = {}): Promise<string> {
  const external_id = `disputed-${++made}`;
  const body = { external_id, buyer_external_id: 'buyer', due_at: NOW + 30 * DAY, line_items: [LINE, LINE] };
  expect((await create(invoiceBody({ ...body, ...more }))).status).toBe(201);
  return external_id;
}
const open = (of: string, more: object = {}, key?: string) =>
  world().post(
    `/v1/invoices/${of}/disputes`,
    { external_id: `dispute-${++made}`, reason: 'DAMAGED', ...more },
    key === undefined ? {} : { key },
  );
const read = async (of: string) => (await world().get(`/v1/invoices/${of}`)).body;
const addFile = async (of: string, id: string) => {
  const path = `/v1/invoices/${of}/files?file_external_id=${id}&kind=OTHER&name=photo.pdf`;
  expect((await world().post(path, FILES['application/pdf'])).status).toBe(201);
};

describe('POST /v1/invoices/{external_id}/disputes', () => {
  describe('201', () => {
    it('answers the dispute, where it is, and its version, and shows it on the invoice', async () => {
      const of = await invoice();
      await addFile(of, 'torn');
      const before = await read(of);
      const { status, headers, body } = await open(of, {
        ...{ external_id: 'torn-bag', line_number: 2, amount: 2_975, currency: 'EUR' },
        ...{ comment: 'One bag was torn.\nSee the photo.', file_external_ids: ['torn'] },
      });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`/v1/invoices/${of}/disputes/torn-bag`);
      expect(headers.get('etag')).toMatch(/^"1(-gzip)?"$/);
      expect(body).toEqual({
        external_id: 'torn-bag',
        status: 'OPEN',
        invoice_external_id: of,
        buyer_external_id: 'buyer',
        merchant_external_id: 'merchant',
        reason: 'DAMAGED',
        line_number: 2,
        currency: 'EUR',
        amount: 2_975,
        accepted_amount: 0,
        is_pausing: true,
        comment: 'One bag was torn.\nSee the photo.',
        file_external_ids: ['torn'],
        created_at: NOW,
        updated_at: NOW,
        opened_on: '2025-11-20',
        decided_on: null,
        decision_comment: null,
        credit_note_external_id: null,
        opened_by: expect.stringMatching(/^api_key:/),
        decided_by: null,
      });
      expect(await read(of)).toEqual({ ...before, disputed_amount: 2_975 });
      expect(await recordedEvents(world(), 'torn-bag')).toMatchObject([
        { type: 'DISPUTE.OPENED', data: { status: 'OPEN', sequence: 1, amount: 2_975, line_number: 2 } },
      ]);
    });

    it('is over all that is outstanding and not disputed yet, where no amount is sent', async () => {
      const of = await invoice();
      await world().post(`/v1/invoices/${of}/payments`, { amount: 1_900, received_by: 'PLATFORM' });
      expect((await open(of, { amount: 3_000 })).body.amount).toBe(3_000);
      expect((await open(of)).body).toMatchObject({ amount: 7_000, line_number: null });
      expect(await read(of)).toMatchObject({ disputed_amount: 10_000, outstanding_amount: 10_000 });
    });

    it('stores no word of the buyer in clear', async () => {
      const of = await invoice();
      await open(of, { comment: 'ZEBRAFINK' });
      const [row] = await world().sql<{ text: string }>(
        `select string_agg(d::text || encode(d.comment_sealed, 'escape') || t::text, ' ') as text
         from disputes d join dispute_transitions t on t.platform_id = d.platform_id and t.dispute_external_id = d.external_id
         where d.invoice_external_id = $1 and d.comment_sealed = t.comment_sealed`,
        [of],
      );
      expect(row?.text).toContain('DAMAGED');
      expect(row?.text).not.toContain('ZEBRAFINK');
    });

    it('keeps that its platform does not pause disputes', async () => {
      await world().sql('update platforms set disputes_pause = false');
      const of = await invoice();
      const { body } = await open(of);
      await world().sql('update platforms set disputes_pause = true');
      expect(body).toMatchObject({ is_pausing: false });
      expect(await read(of)).toMatchObject({ disputed_amount: 11_900 });
    });

    it('lets money go first: the disputed amount is at most what is outstanding', async () => {
      const of = await invoice();
      await open(of, { amount: 10_000 });
      await world().post(`/v1/invoices/${of}/payments`, { amount: 9_000, received_by: 'PLATFORM' });
      expect(await read(of)).toMatchObject({ outstanding_amount: 2_900, disputed_amount: 2_900 });
      expect((await open(of, { amount: 1 })).body).toMatchObject({ reason: 'DISPUTE_EXCEEDS_OUTSTANDING' });
    });
  });

  describe('400', () => {
    it.each([
      ['amount', 0],
      ['amount', -1],
      ['amount', 10.5],
      ['amount', '100'],
      ['amount', 1e300],
      ['line_number', 0],
      ['line_number', 3],
      ['line_number', 1.5],
      ['currency', 'GBP'],
      ['currency', 'XXX'],
      ['reason', 'BAD_MOOD'],
      ['comment', 'a\u0000b'],
      ['file_external_ids', ['a', 'a']],
      ['file_external_ids', Array.from({ length: 11 }, (_, n) => `f${n}`)],
      ['external_id', 'a b'],
    ])('for %s %s', async (field, value) => {
      const of = await invoice();
      const reply = await open(of, { amount: 100, [field]: value });
      expect(reply.status).toBe(400);
      expect(reply.body.issues[0].path).toContain(`body.${field}`);
      expect(await read(of)).toMatchObject({ disputed_amount: 0 });
    });

    it('for more than 2,000 characters', async () => {
      expect((await open(await invoice(), { comment: 'x'.repeat(2_000) })).status).toBe(201);
      expect((await open(await invoice(), { comment: 'x'.repeat(2_001) })).status).toBe(400);
    });

    it('for a line without an amount: its price may be with tax or without', async () => {
      const reply = await open(await invoice(), { line_number: 1 });
      expect(reply.status).toBe(400);
      expect(reply.body.issues).toMatchObject([{ code: 'REQUIRED', path: 'body.amount' }]);
    });
  });

  it('404: for an unknown invoice, and one of another merchant', async () => {
    expect((await open('unknown')).status).toBe(404);
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await open(await invoice(), {}, key)).status).toBe(404);
  });

  describe('409', () => {
    it('EXTERNAL_ID_ALREADY_EXISTS', async () => {
      await open(await invoice(), { external_id: 'taken' });
      expect(await open(await invoice(), { external_id: 'taken' })).toMatchObject({
        ...{ status: 409, body: { reason: 'EXTERNAL_ID_ALREADY_EXISTS' } },
      });
    });

    it('LINE_ALREADY_DISPUTED: a line has one open dispute, and another one after it', async () => {
      const of = await invoice();
      const line = { line_number: 1, amount: 100 };
      const first = (await open(of, line)).body.external_id;
      expect(await open(of, line)).toMatchObject({
        status: 409,
        body: { reason: 'LINE_ALREADY_DISPUTED', details: { dispute_external_id: first } },
      });
      expect((await open(of, { ...line, line_number: 2 })).status).toBe(201);
      await world().post(`/v1/invoices/${of}/disputes/${first}/withdraw`);
      expect((await open(of, line)).status).toBe(201);
    });

    it('INVOICE_NOT_DISPUTABLE: what is paid or cancelled', async () => {
      const [paid, cancelled] = [await invoice(), await invoice()];
      await world().post(`/v1/invoices/${paid}/paid`, {});
      await world().post(`/v1/invoices/${cancelled}/refund`);
      for (const [of, status] of [
        [paid, 'CLOSED'],
        [cancelled, 'CANCELLED'],
      ] as const)
        expect(await open(of, { amount: 1 })).toMatchObject({
          ...{ status: 409, body: { reason: 'INVOICE_NOT_DISPUTABLE', details: { status } } },
        });
    });
  });

  describe('422', () => {
    it('DISPUTE_EXCEEDS_OUTSTANDING: with what is left, and also where nothing is', async () => {
      const of = await invoice();
      await world().post(
        '/v1/credit_notes',
        creditNoteBody({
          ...{ external_id: `note-${of}`, invoice_external_id: of },
          amount: { net: 1_000, tax: 190, gross: 1_190 },
        }),
      );
      expect(await open(of, { amount: 10_711 })).toMatchObject({
        status: 422,
        body: {
          reason: 'DISPUTE_EXCEEDS_OUTSTANDING',
          details: { requested: 10_711, available: 10_710, currency: 'EUR' },
        },
      });
      expect((await open(of, { amount: 10_710 })).status).toBe(201);
      expect(await open(of)).toMatchObject({ status: 422, body: { details: { available: 0 } } });
    });

    it('REFERENCED_ENTITY_NOT_FOUND: a file of another invoice', async () => {
      const [of, other] = [await invoice(), await invoice()];
      await addFile(other, 'of-the-other');
      expect(await open(of, { file_external_ids: ['of-the-other'] })).toMatchObject({
        status: 422,
        body: {
          reason: 'REFERENCED_ENTITY_NOT_FOUND',
          details: { field: 'body.file_external_ids.0', value: 'of-the-other' },
        },
      });
    });
  });

  it('of many that race, as many are opened as are owed, and a payment that races loses nothing', async () => {
    const of = await invoice();
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () => open(of, { amount: 4_000 })),
      world().post(`/v1/invoices/${of}/payments`, { amount: 3_900, received_by: 'PLATFORM' }),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.at(-1)).toBe(201);
    expect(statuses.slice(0, -1).filter((status) => status === 201).length).toBe(2);
    expect(statuses.filter((status) => status === 422).length).toBe(6);
    expect(await read(of)).toMatchObject({ outstanding_amount: 8_000, disputed_amount: 8_000 });
    const line = { line_number: 1, amount: 1 };
    const other = await invoice();
    const both = await Promise.all([open(other, line), open(other, line)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
