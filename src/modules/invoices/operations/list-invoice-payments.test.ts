import { expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();

it('GET /v1/invoices/{external_id}/payments lists the newest first, by pages', async () => {
  await create(invoiceBody({}));
  for (const [nth, id] of ['a', 'b', 'c'].entries()) {
    world().clock.set(NOW + nth);
    await world().post('/v1/invoices/invoice/payments', { external_id: id, amount: 100 });
  }
  const page = (query: string) => world().get(`/v1/invoices/invoice/payments${query}`);
  const idsOf = ({ body }: Awaited<ReturnType<typeof page>>) =>
    body.items.map(({ external_id }: { external_id: string }) => external_id);
  expect(idsOf(await page(''))).toEqual(['c', 'b', 'a']);
  const second = await page('?limit=1&offset=1');
  expect([idsOf(second), second.body.total]).toEqual([['b'], 3]);
  expect((await world().get('/v1/invoices/unknown/payments')).status).toBe(404);
});
