import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();
const PATH = '/v1/invoices/to-withdraw/disputes';

beforeAll(async () => {
  const body = { external_id: 'to-withdraw', buyer_external_id: 'buyer', due_at: NOW + 86_400 };
  await create(invoiceBody(body));
  for (const external_id of ['one', 'other'])
    await world().post(PATH, { external_id, reason: 'NOT_DELIVERED', amount: 100 });
});

describe('POST /v1/invoices/{external_id}/disputes/{dispute_external_id}/withdraw', () => {
  it('200: ends the dispute, with words or without', async () => {
    const { status, body } = await world().post(`${PATH}/one/withdraw`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'WITHDRAWN', decided_on: '2025-11-20', decision_comment: null });
    expect((await world().get('/v1/invoices/to-withdraw')).body.disputed_amount).toBe(100);
  });

  it('403: by a key of the merchant, which can reject it instead', async () => {
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect(await world().post(`${PATH}/other/withdraw`, {}, { key })).toMatchObject({
      ...{ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } },
    });
  });

  it('404: for an unknown dispute', async () => {
    expect((await world().post(`${PATH}/unknown/withdraw`)).status).toBe(404);
  });

  it('409: for one that is decided', async () => {
    expect((await world().post(`${PATH}/one/withdraw`)).status).toBe(409);
  });
});
