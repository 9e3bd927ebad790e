import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';

const DAY = 86_400;
const { create, world } = useInvoicing();

beforeAll(async () => {
  const body = invoiceBody({ external_id: 'late', buyer_external_id: 'buyer', due_at: NOW + 30 * DAY });
  expect((await create(body)).status).toBe(201);
});

const read = (path: string, key?: string) =>
  world().get(`/v1/invoices/${path}`, key === undefined ? {} : { key });

describe('GET /v1/invoices/{external_id}/charges', () => {
  it('lists none of an invoice that has none', async () => {
    expect((await read('late/charges')).body).toMatchObject({ items: [], total: 0 });
    expect((await read('late')).body.late_charges).toEqual({
      ...{ amount: 0, paid_amount: 0, waived_amount: 0, outstanding_amount: 0 },
    });
  });

  it('lists the charges, the earliest first, and leaves the invoice as it is', async () => {
    const before = (await read('late')).body;
    const interest = await addLateCharge(world(), 'late');
    await addLateCharge(world(), 'late', { kind: 'COMPENSATION', amountMinor: 4_000 });
    const { body } = await read('late/charges?limit=1');
    expect(body).toMatchObject({ total: 2 });
    expect(body.items).toEqual([
      {
        external_id: interest.external_id,
        status: 'OPEN',
        kind: 'INTEREST',
        invoice_external_id: 'late',
        buyer_external_id: 'buyer',
        merchant_external_id: before.merchant_external_id,
        creditor: 'MERCHANT',
        created_at: NOW,
        updated_at: NOW,
        charged_on: '2025-11-20',
        accrued_until: '2025-11-19',
        currency: 'EUR',
        ...{ amount: 258, paid_amount: 0, waived_amount: 0, outstanding_amount: 258 },
        computation: interest.computation,
      },
    ]);
    expect((await read('late')).body).toEqual({
      ...before,
      late_charges: { amount: 4_258, paid_amount: 0, waived_amount: 0, outstanding_amount: 4_258 },
    });
  });

  it('404: for an unknown invoice', async () => {
    expect((await read('unknown/charges')).status).toBe(404);
  });
});
