import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();

describe('GET /v1/invoices/{external_id}/history', () => {
  it('200 with every transition, the latest first', async () => {
    await create(invoiceBody({}));
    const { status, body } = await world().get('/v1/invoices/invoice/history');
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          sequence: 1,
          from_status: null,
          to_status: 'OPEN',
          trigger: 'create',
          transitioned_at: INVOICING_NOW,
          actor: expect.stringMatching(/^api_key:/),
          reason: null,
          decision_id: null,
        },
      ],
      total: 1,
      limit: 100,
      offset: 0,
      next: null,
    });
  });

  it('404 for an unknown invoice, and one of another merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await world().get('/v1/invoices/nothing/history')).status).toBe(404);
    expect((await world().get('/v1/invoices/invoice/history', { key })).status).toBe(404);
  });
});
