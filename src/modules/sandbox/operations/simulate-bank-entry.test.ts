import { beforeAll, describe, expect, it } from 'vitest';
import { addMainAccount } from '#test/bank-account';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const PATH = '/v1/sandbox/bank_entries';

describe('POST /v1/sandbox/bank_entries', () => {
  const { create, world } = useInvoicing();
  const simulate = (body: object) => world().post(PATH, body);
  beforeAll(async () => {
    const { status, body } = await simulate({ amount: 1 });
    expect([status, body.details.value]).toEqual([404, 'main']);
    await addMainAccount(world());
  });

  it('200: settles what it names, and reverses it', async () => {
    const claim = { external_id: 'claim', buyer_external_id: 'buyer', due_at: NOW + 864_000 };
    const { body: invoice } = await create(invoiceBody({ ...claim, ...grossOf(5_000) }));
    const paid = { text: `Ref ${invoice.payment_reference}`, end_to_end_id: 'E2E-1' };
    expect(await simulate({ amount: 5_000, ...paid })).toMatchObject({
      status: 200,
      body: {
        ...{
          bank_account_external_id: 'main',
          amount: 5_000,
          currency: 'EUR',
          status: 'MATCHED',
          queue_reason: null,
        },
        ...{ invoice_external_ids: ['claim'], payout_external_ids: [] },
      },
    });
    expect((await world().get('/v1/invoices/claim')).body.status).toBe('CLOSED');
    const back = await simulate({ amount: -5_000, end_to_end_id: 'E2E-1', is_reversal: true });
    expect(back.body).toMatchObject({ status: 'MATCHED', invoice_external_ids: [] });
    expect((await world().get('/v1/invoices/claim')).body.status).toBe('OPEN');
  });

  it('200: queues what names nothing', async () => {
    const { body } = await simulate({ amount: 700, text: 'hello', counterparty_name: 'A stranger' });
    expect(body).toMatchObject({ status: 'QUEUED', queue_reason: 'NOTHING_NAMED' });
    expect((await simulate({ amount: -700 })).body).toMatchObject({ queue_reason: 'OUTGOING' });
  });

  it('400: refuses an amount of 0 and texts that no bank sends', async () => {
    for (const body of [{ amount: 0 }, { amount: 1.5 }, { amount: 1, text: 'a\nb' }])
      expect((await simulate(body)).status).toBe(400);
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect((await world().post(PATH, { amount: 1 }, { key })).status).toBe(403);
  });
});
