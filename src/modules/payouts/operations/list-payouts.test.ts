import { beforeAll, describe, expect, it } from 'vitest';
import { PAYING_NOW, usePayouts } from '#test/payouts';

const DAY = 86_400;

describe('GET /v1/payouts', () => {
  const payouts = usePayouts();
  const { world } = payouts;
  let one: string;
  let other: string;
  beforeAll(async () => {
    [one, other] = [await payouts.merchant(), await payouts.merchant()];
    await payouts.advance(one, { amountMinor: 500 });
    await payouts.advance(other, { amountMinor: 900 });
    await payouts.until(PAYING_NOW + 2 * DAY);
    await payouts.advance(one, { amountMinor: 700 });
    await payouts.until(PAYING_NOW + 7 * DAY);
    const { body } = await world().get(`/v1/payouts?merchant_external_id=${other}`);
    await world().post('/v1/sandbox/payouts', {
      external_id: body.items[0].external_id,
      trigger: 'instruct',
    });
  });
  const amounts = async (query: string, key?: string) => {
    const { status, body } = await world().get(`/v1/payouts?${query}`, key === undefined ? {} : { key });
    expect(status).toBe(200);
    return [body.total, ...body.items.map(({ amount }: { amount: number }) => amount)];
  };

  it('200: lists all, with their total, sorted', async () => {
    expect(await amounts('sort_by=amount')).toEqual([3, 500, 700, 900]);
    expect(await amounts('sort_by=-amount&limit=1&offset=1')).toEqual([3, 700]);
    expect(await amounts('sort_by=-scheduled_on&limit=1')).toEqual([3, 700]);
  });

  it.each([
    ['status=INSTRUCTED', [1, 900]],
    ['status=SCHEDULED,INSTRUCTED&sort_by=amount', [3, 500, 700, 900]],
    ['scheme=FPS', [0]],
    ['currency=EUR&amount=600..', [2, 700, 900]],
    ['scheduled_on=2026-03-04&sort_by=amount', [2, 500, 900]],
    ['scheduled_on=2026-03-05..', [1, 700]],
    ['scheduled_on=..2026-03-04&sort_by=amount', [2, 500, 900]],
    ['scheduled_on=2026-03-03..2026-03-06&sort_by=amount', [3, 500, 700, 900]],
    ['created_at=..1', [0]],
  ])('200: narrows by %s', async (query, expected) => {
    const [total, ...found] = await amounts(query.includes('sort_by') ? query : `${query}&sort_by=amount`);
    expect([total, ...found]).toEqual(expected);
  });

  it('200: narrows by merchant and account', async () => {
    expect(await amounts(`merchant_external_id=${one}&sort_by=amount`)).toEqual([2, 500, 700]);
    expect(await amounts(`payout_instruction_external_id=${other}-account`)).toEqual([1, 900]);
  });

  it('200: shows a key of one merchant its own payouts', async () => {
    const key = await world().addKey({ merchantExternalId: other });
    expect(await amounts('', key)).toEqual([1, 900]);
  });

  it('403: refuses a key of one merchant the payouts of another', async () => {
    const key = await world().addKey({ merchantExternalId: other });
    const { status, body } = await world().get(`/v1/payouts?merchant_external_id=${one}`, { key });
    expect([status, body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
  });

  it.each([
    ['scheduled_on=yesterday'],
    ['scheduled_on=2026-3-4'],
    ['scheduled_on=..'],
    ['status=DONE'],
    ['limit=101'],
    ['what=1'],
  ])('400: refuses %s', async (query) =>
    expect((await world().get(`/v1/payouts?${query}`)).status).toBe(400),
  );
});
