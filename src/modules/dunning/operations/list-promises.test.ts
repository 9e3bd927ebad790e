import { describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';

const { debtor, invoice, world } = useDunning();

describe('GET /v1/invoices/{external_id}/promises', () => {
  it('200: the earliest first, page by page, also those that are withdrawn', async () => {
    const late = await invoice(await debtor());
    const path = `/v1/invoices/${late}/promises`;
    expect((await world().get(path)).body).toMatchObject({ total: 0 });
    for (const external_id of ['first', 'second', 'third']) {
      await world().post(path, { external_id, amount: 1, until: INVOICING_NOW });
      world().clock.set(world().clock.now() + 1);
    }
    await world().post(`${path}/second/withdraw`);
    const { status, body } = await world().get(path);
    expect(status).toBe(200);
    const [items] = Object.values(body).filter((each) => Array.isArray(each)) as [object[]];
    expect(items).toMatchObject([
      { external_id: 'first', withdrawn_at: null },
      { external_id: 'second', withdrawn_at: INVOICING_NOW + 3 },
      { external_id: 'third', withdrawn_at: null },
    ]);
    const page = (await world().get(`${path}?limit=1&offset=1`)).text;
    expect(page).toContain('second');
    expect(page).not.toContain('third');
  });

  it('404: for an unknown invoice, and one of another merchant', async () => {
    const late = await invoice(await debtor());
    const key = await world().addKey({ merchantExternalId: 'other-merchant' });
    expect((await world().get('/v1/invoices/unknown/promises')).status).toBe(404);
    expect((await world().get(`/v1/invoices/${late}/promises`, { key })).status).toBe(404);
  });
});
