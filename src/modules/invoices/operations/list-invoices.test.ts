import { beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, order, invoiceOf, world } = useInvoicing();

let orderId: string;
beforeAll(async () => {
  await world().post('/v1/buyers', buyerBody({ external_id: 'bakery', legal_name: 'Bäckerei 100% Korn_AG' }));
  orderId = await order(grossOf(5_000));
  await invoiceOf([orderId], { external_id: 'of-order', ...grossOf(5_000) });
  const rest = [
    { external_id: 'a', invoice_number: 'R 1' },
    { external_id: 'b', invoice_number: 'R 2', merchant_external_id: 'other-merchant', ...grossOf(700) },
    { external_id: 'c', buyer_external_id: 'bakery', amount: { net: 900, gross: 900, currency: 'GBP' } },
    { external_id: 'd', due_at: NOW + 86_400 },
  ];
  for (const more of rest) expect((await create(invoiceBody(more))).status).toBe(201);
  // The test sets statuses and times directly: it is only about lists.
  await world().sql(
    `update invoices set status = 'DUE', falls_due_at = null, due_on = case external_id
    when 'a' then '2025-11-19' else '2025-10-21' end, updated_at = $1 where external_id in ('a', 'b')`,
    [NOW + 50],
  );
  await world().sql(`update invoices set created_at = 5, invoiced_at = 7, financing_status = 'PAID_OUT',
    collection_status = 'COLLECTED', insurance_status = 'CLAIM_PAID' where external_id = 'c'`);
});

const idsOf = async (query: string, key?: string) => {
  const { status, body } = await world().get(`/v1/invoices?${query}`, key === undefined ? {} : { key });
  expect([status, body.total]).toEqual([200, body.items?.length]);
  return body.items.map(({ external_id }: { external_id: string }) => external_id).sort();
};

describe('GET /v1/invoices', () => {
  it.each([
    ['', ['a', 'b', 'c', 'd', 'of-order']],
    ['external_id=a,of-order', ['a', 'of-order']],
    ['buyer_external_id=bakery', ['c']],
    ['merchant_external_id=other-merchant', ['b']],
    ['status=DUE', ['a', 'b']],
    ['currency=GBP', ['c']],
    ['invoice_number=R%201,R%202', ['a', 'b']],
    ['buyer_legal_name=b%C3%84cker*', ['c']],
    ['buyer_legal_name=*100%25*_AG', ['c']],
    ['buyer_legal_name=*100%25*xAG', []],
    ['buyer_legal_name=*morgenrot*', ['a', 'b', 'd', 'of-order']],
    ['buyer_legal_name=morgenrot', []],
    ['created_at=..6', ['c']],
    ['invoiced_at=7', ['c']],
    [`updated_at=${NOW + 1}..`, ['a', 'b']],
    [`due_at=..${NOW + 86_400}`, ['d']],
    ['amount_gross=700..900', ['b', 'c']],
    ['days_past_due=1', ['a']],
    ['days_past_due=2..30', ['b']],
    ['days_past_due=31..', []],
    ['days_past_due=..30', ['a', 'b']],
    ['financing_status=PAID_OUT', ['c']],
    ['financing_status=none', ['a', 'b', 'd', 'of-order']],
    ['financing_status=none,PAID_OUT&status=OPEN', ['c', 'd', 'of-order']],
    ['collection_status=COLLECTED', ['c']],
    ['insurance_status=CLAIM_PAID', ['c']],
  ])('%s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it('lists the invoices of an order', async () => {
    expect(await idsOf(`order_external_id=${orderId}`)).toEqual(['of-order']);
  });

  it('shows each as GET does, newest first, and pages it', async () => {
    const { body } = await world().get('/v1/invoices?limit=2&offset=1&sort_by=external_id&expand=services');
    expect(body).toMatchObject({ total: 5, limit: 2, offset: 1 });
    expect(body.items).toEqual([
      (await world().get('/v1/invoices/b?expand=services')).body,
      (await world().get('/v1/invoices/c?expand=services')).body,
    ]);
    const newest = await world().get('/v1/invoices');
    expect(newest.body.items.at(-1).external_id).toBe('c');
  });

  it('shows a key of one merchant its own', async () => {
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect(await idsOf('', key)).toEqual(['b']);
    const other = await world().get('/v1/invoices?merchant_external_id=merchant', { key });
    expect([other.status, other.body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
  });

  it.each(['days_past_due=soon', 'financing_status=DONE', 'limit=101', 'status=PAID', 'due_at=1..2..3'])(
    '400 for %s',
    async (query) => {
      expect((await world().get(`/v1/invoices?${query}`)).status).toBe(400);
    },
  );
});
