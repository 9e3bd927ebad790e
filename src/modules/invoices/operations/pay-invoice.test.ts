import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();

const paid = (invoice: string, body?: object, more: object = {}) =>
  world().post(`/v1/invoices/${invoice}/paid`, body, more);
const plain = async (externalId: string) => {
  await create(invoiceBody({ external_id: externalId }));
  return externalId;
};

describe('POST /v1/invoices/{external_id}/paid', () => {
  describe('200', () => {
    it('records a payment of the rest to the merchant', async () => {
      const id = await plain('rest');
      await world().post(`/v1/invoices/${id}/payments`, { amount: 1_900 });
      const { status, body, headers } = await paid(id);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'CLOSED',
        paid_at: NOW,
        paid_amount: 11_900,
        outstanding_amount: 0,
      });
      expect(headers.get('etag')).toMatch(/^"3/);
      const { items } = (await world().get(`/v1/invoices/${id}/payments`)).body;
      expect(items.map((each: { amount: number }) => each.amount).sort()).toEqual([10_000, 1_900]);
      expect(items[0].received_by).toBe('MERCHANT');
    });

    it('takes what is known of the payment', async () => {
      const id = await plain('known');
      const known = { external_id: 'bank-1', paid_at: NOW - 60, received_by: 'PLATFORM', reference: 'R' };
      expect((await paid(id, known)).body.paid_at).toBe(NOW - 60);
      const { items } = (await world().get(`/v1/invoices/${id}/payments`)).body;
      expect(items).toEqual([expect.objectContaining(known)]);
    });
  });

  it('404: an unknown invoice', async () => {
    expect((await paid('unknown')).status).toBe(404);
  });

  it('409 INVOICE_ALREADY_PAID: also the second of two at once', async () => {
    const id = await plain('twice');
    const answers = await Promise.all([paid(id), paid(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await paid(id);
    expect([body.reason, body.details.paid_at]).toEqual(['INVOICE_ALREADY_PAID', NOW]);
  });

  it('409 INVALID_STATUS_TRANSITION: a cancelled invoice', async () => {
    const id = await plain('cancelled');
    await world().post(`/v1/invoices/${id}/refund`);
    expect((await paid(id)).body.reason).toBe('INVALID_STATUS_TRANSITION');
  });

  it('412: another version', async () => {
    const id = await plain('changed');
    const { status } = await paid(id, undefined, { headers: { 'if-match': '"7"' } });
    expect(status).toBe(412);
  });
});
