import { beforeEach, describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';

const { debtor, invoice, show, until, world } = useDunning();
beforeEach(() => world().clock.set(INVOICING_NOW));

/** Promises until 20 January 2026. Returns the path of the promise. */
async function promised(id: string): Promise<string> {
  const body = { external_id: `of-${id}`, until: Date.parse('2026-01-20T12:00:00Z') / 1_000 };
  expect((await world().post(`/v1/invoices/${id}/promises`, body)).status).toBe(201);
  return `/v1/invoices/${id}/promises/of-${id}`;
}

describe('POST /v1/invoices/{external_id}/promises/{promise_external_id}/withdraw', () => {
  it('200: lets the reminders go on, and changes nothing when it is repeated', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-12');
    const path = await promised(late);
    await until('2025-12-16');
    expect((await show(late)).dunning).toMatchObject({ paused_by: 'PROMISE' });
    const { status, body } = await world().post(`${path}/withdraw`);
    expect([status, body.withdrawn_at]).toEqual([200, world().clock.now()]);
    await until('2025-12-17');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
    expect((await world().post(`${path}/withdraw`)).body).toEqual(body);
  });

  it('200: leaves another promise in force', async () => {
    const late = await invoice(await debtor());
    const path = await promised(late);
    const other = { external_id: `other-${late}`, until: Date.parse('2025-12-30T12:00:00Z') / 1_000 };
    await world().post(`/v1/invoices/${late}/promises`, other);
    await world().post(`${path}/withdraw`);
    await until('2025-12-29');
    expect((await show(late)).dunning).toMatchObject({ paused_by: 'PROMISE' });
    await until('2025-12-31');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
  });

  it('403: by a merchant, once its claim is the platform’s', async () => {
    const late = await invoice(await debtor());
    const path = await promised(late);
    await world().sql('update invoices set is_financed = true where external_id = $1', [late]);
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect(await world().post(`${path}/withdraw`, undefined, { key })).toMatchObject({
      ...{ status: 403, body: { reason: 'MERCHANT_NOT_ALLOWED' } },
    });
  });

  it('404: for an unknown promise, one of another invoice, and a stop that is none', async () => {
    const [late, other] = [await invoice(await debtor()), await invoice(await debtor())];
    await promised(late);
    for (const path of [`${other}/promises/of-${late}`, `${late}/promises/unknown`])
      expect((await world().post(`/v1/invoices/${path}/withdraw`)).status).toBe(404);
  });
});
