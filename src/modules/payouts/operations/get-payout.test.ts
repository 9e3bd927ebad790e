import { beforeAll, describe, expect, it } from 'vitest';
import { owe, PAYING_NOW, usePayouts } from '#test/payouts';

const DAY = 86_400;

describe('GET /v1/payouts/{external_id}', () => {
  const payouts = usePayouts();
  const { world } = payouts;
  let merchant: string;
  let service: string;
  let path: string;
  beforeAll(async () => {
    merchant = await payouts.merchant();
    service = await payouts.advance(merchant, { amountMinor: 5_000 });
    await owe(world(), merchant, 1_200);
    await payouts.until(PAYING_NOW + 2 * DAY);
    const [{ external_id }] = await payouts.payoutsOf(merchant);
    path = `/v1/payouts/${external_id}`;
  });

  it('200: shows what is paid, for which service, its fee, and what is deducted', async () => {
    const { status, body, headers } = await world().get(path);
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toMatchObject({
      ...{ merchant_external_id: merchant, status: 'SCHEDULED', amount: 3_800, set_off_amount: 1_200 },
      collections: [],
      advances: [
        {
          ...{ service_external_id: service, base_amount: 5_119, fee_net: 100, fee_tax: 19 },
          ...{ fee_tax_category: 'S', set_off_amount: 0, amount: 5_000 },
        },
      ],
    });
  });

  it('200: answers to a key of the merchant', async () => {
    const key = await world().addKey({ merchantExternalId: merchant });
    expect((await world().get(path, { key })).status).toBe(200);
  });

  it('404: is the answer for an unknown one, and to a key of another merchant', async () => {
    expect((await world().get('/v1/payouts/nothing')).status).toBe(404);
    const key = await world().addKey({ merchantExternalId: 'another' });
    expect((await world().get(path, { key })).status).toBe(404);
  });
});
