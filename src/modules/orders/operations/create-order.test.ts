import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  await world.sql(`with f as (insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, price_class, expires_at, total_amount, available_amount, entry_last)
   values (1,'b1','ACTIVE',1,1,'EUR','A', 99999999999, 100000, 100000, 1))
   insert into facility_ledger (platform_id, buyer_external_id, entry, recorded_at, cause, total_change, total_amount, used_amount, pending_orders_amount, available_amount, available_change, actor)
   values (1,'b1',1,1,'LIMIT_GRANTED',100000,100000,0,0,100000,100000,'x')`);
});
afterAll(() => world.close());

describe('POST /v1/orders', () => {
  it('works', async () => {
    const body = (id: string, gross: number) => ({
      external_id: id,
      buyer_external_id: 'b1',
      merchant_external_id: 'm1',
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      amount: { net: gross, gross },
    });
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, i) => world.post('/v1/orders', body(`o${i}`, 9_000))),
    );
    console.log(all.map((r) => r.status).join(), all.find((r) => r.status !== 201)?.text);
    const one = await world.post('/v1/orders', body('o0', 1));
    console.log(
      one.text,
      await world.sql('select * from facilities'),
      await world.sql(
        'select entry, cause, available_amount, available_change from facility_ledger order by 1',
      ),
    );
    console.log(await world.sql('select body from events limit 3'));
    expect(1).toBe(1);
  });
});
