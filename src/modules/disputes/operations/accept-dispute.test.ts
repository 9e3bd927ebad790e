import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { facilityOf } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;
const { create, order, invoiceOf, world } = useInvoicing();

let made = 0;
/** A disputed invoice over 100.00 net and 19.00 tax. */
async function disputed(more: object = {}) {
  const of = `invoice-to-credit-${++made}`;
  await create(invoiceBody({ external_id: of, buyer_external_id: 'buyer', due_at: NOW + 30 * DAY }));
  const external_id = `to-decide-${made}`;
  const path = `/v1/invoices/${of}/disputes`;
  const reply = await world().post(path, { external_id, reason: 'DAMAGED', amount: 5_950, ...more });
  expect(reply.status).toBe(201);
  return { of, external_id, path: `${path}/${external_id}` };
}
const read = async (of: string) => (await world().get(`/v1/invoices/${of}`)).body;

describe('POST /v1/invoices/{external_id}/disputes/{dispute_external_id}/accept', () => {
  it('credits what is disputed with tax in proportion, and ends the dispute', async () => {
    const { of, external_id, path } = await disputed();
    const { status, headers, body } = await world().post(`${path}/accept`, {
      ...{ credit_note_external_id: `credit-of-${of}`, comment: 'We are sorry.' },
    });
    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^"2(-gzip)?"$/);
    expect(body).toMatchObject({
      ...{ status: 'ACCEPTED', accepted_amount: 5_950, decided_on: '2025-11-20' },
      ...{ decision_comment: 'We are sorry.', credit_note_external_id: `credit-of-${of}` },
      decided_by: expect.stringMatching(/^api_key:/),
    });
    expect((await world().get(`/v1/credit_notes/credit-of-${of}`)).body).toMatchObject({
      reason_code: 'DAMAGED',
      amount: { net: 5_000, tax: 950, gross: 5_950, currency: 'EUR' },
    });
    expect(await read(of)).toMatchObject({
      ...{ status: 'OPEN', outstanding_amount: 5_950, credited_amount: 5_950, disputed_amount: 0 },
    });
    expect((await recordedEvents(world(), external_id)).at(-1)).toMatchObject({
      type: 'DISPUTE.RESOLVED',
      data: { status: 'ACCEPTED', sequence: 2, accepted_amount: 5_950 },
    });
    expect(await world().get(path)).toMatchObject({ body });
  });

  it('credits less where less is accepted, and frees the credit', async () => {
    const of = (await invoiceOf([await order()], { amount: { net: 10_000, tax: 1_900, gross: 11_900 } })).body
      .external_id as string;
    const path = `/v1/invoices/${of}/disputes`;
    await world().post(path, { external_id: 'on-credit', reason: 'WRONG_PRICE', amount: 5_000 });
    const before = await facilityOf(world(), 'buyer');
    const amount = { net: 1_000, tax: 190, gross: 1_190, currency: 'EUR' };
    const { body } = await world().post(`${path}/on-credit/accept`, { amount });
    expect(body).toMatchObject({ status: 'ACCEPTED', amount: 5_000, accepted_amount: 1_190 });
    const note = (await world().get(`/v1/credit_notes/${body.credit_note_external_id}`)).body;
    expect(note).toMatchObject({ reason_code: 'PRICE', amount });
    expect((await facilityOf(world(), 'buyer')).used).toBe(before.used - 1_190);
    expect(await read(of)).toMatchObject({ disputed_amount: 0 });
  });

  it('credits what was paid meanwhile, too', async () => {
    const { of, path } = await disputed({ amount: 11_900 });
    await world().post(`/v1/invoices/${of}/paid`, { received_by: 'PLATFORM' });
    expect((await world().post(`${path}/accept`)).status).toBe(200);
    expect(await read(of)).toMatchObject({ status: 'CANCELLED', credited_amount: 11_900, paid_amount: 0 });
  });

  it('makes no credit note of a dispute PAID_ALREADY, whose payment must be recorded', async () => {
    const { of, path } = await disputed({ reason: 'PAID_ALREADY' });
    const payments = `/v1/invoices/${of}/payments`;
    await world().post(payments, { amount: 950, received_by: 'PLATFORM' });
    expect(await world().post(`${path}/accept`)).toMatchObject({
      status: 422,
      body: { reason: 'DISPUTED_PAYMENT_NOT_RECORDED', details: { disputed: 5_950, missing: 5_000 } },
    });
    await world().post(payments, { amount: 5_000, received_by: 'PLATFORM' });
    expect((await world().post(`${path}/accept`)).body).toMatchObject({
      ...{ status: 'ACCEPTED', accepted_amount: 5_950, credit_note_external_id: null },
    });
    expect(await read(of)).toMatchObject({
      ...{ outstanding_amount: 5_950, credited_amount: 0, disputed_amount: 0 },
    });
  });

  it('400: for an amount that does not sum up', async () => {
    const { path } = await disputed();
    expect((await world().post(`${path}/accept`, { amount: { net: 1, tax: 1, gross: 1 } })).status).toBe(400);
  });

  it('404: for a dispute of another invoice or merchant', async () => {
    const [one, other] = [await disputed(), await disputed()];
    expect((await world().post(`/v1/invoices/${one.of}/disputes/${other.external_id}/accept`)).status).toBe(
      404,
    );
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await world().post(`${one.path}/accept`, {}, { key })).status).toBe(404);
  });

  it('409: for a decided one, and for a credit note that exists', async () => {
    const { of, path } = await disputed();
    await world().post('/v1/credit_notes', {
      ...creditNoteBody({ external_id: 'exists', invoice_external_id: of }),
      amount: { net: 1, gross: 1 },
    });
    expect(await world().post(`${path}/accept`, { credit_note_external_id: 'exists' })).toMatchObject({
      ...{ status: 409, body: { reason: 'EXTERNAL_ID_ALREADY_EXISTS' } },
    });
    expect((await world().post(`${path}/accept`)).status).toBe(200);
    expect(await world().post(`${path}/accept`)).toMatchObject({
      status: 409,
      body: { reason: 'INVALID_STATUS_TRANSITION', details: { status: 'ACCEPTED', allowed: [] } },
    });
  });

  it('422: for more than is disputed, than can be credited, or of a cancelled invoice', async () => {
    const { of, path } = await disputed();
    const amount = { net: 5_951, gross: 5_951 };
    expect(await world().post(`${path}/accept`, { amount })).toMatchObject({
      status: 422,
      body: { reason: 'ACCEPTED_AMOUNT_EXCEEDS_DISPUTE', details: { requested: 5_951, disputed: 5_950 } },
    });
    expect(
      await world().post(`${path}/accept`, { amount: { net: 0, tax: 1_901, gross: 1_901 } }),
    ).toMatchObject({
      ...{ status: 422, body: { reason: 'CREDIT_NOTE_EXCEEDS_INVOICE' } },
    });
    expect((await read(of)).disputed_amount).toBe(5_950);
    await world().post(`/v1/invoices/${of}/refund`);
    expect(await world().post(`${path}/accept`)).toMatchObject({
      ...{ status: 422, body: { reason: 'INVOICE_NOT_CREDITABLE' } },
    });
    expect((await world().post(`${path}/withdraw`)).body.status).toBe('WITHDRAWN');
  });

  it('of two decisions at once, one counts', async () => {
    const { path } = await disputed();
    const replies = await Promise.all([
      world().post(`${path}/accept`),
      world().post(`${path}/reject`, { comment: 'No.' }),
      world().post(`${path}/withdraw`),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
